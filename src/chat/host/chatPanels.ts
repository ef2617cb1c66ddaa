// All chat panels. Imported with the first one.
import { randomUUID } from "node:crypto";
import path from "node:path";
import * as v from "valibot";
import * as vscode from "vscode";
import type { ServerChanges } from "../../shared/connection.ts";
import { contextKeys, panels } from "../../ids.ts";
import { Pages, type RestoredPage } from "../../shared/host/pages.ts";
import type { PanelRestorer } from "../../shared/host/restorePanels.ts";
import { isSameItem, type AgentRef } from "../../mindsdb/references.ts";
import { chatCalls, type ChatCalls } from "../chatPage.ts";
import { ConversationSearch } from "../conversationSearch.ts";
import { parseFrames } from "../rawEvents.ts";
import { emptyTranscript, replay, type ChatAgent, type Transcript } from "../transcript.ts";
import { AgentBadges } from "./agentBadges.ts";
import { ChatSessions } from "./chatSessions.ts";
import type { ChatLabel } from "./chatLabels.ts";
import { ChatStore, type StoredChat } from "./chatStore.ts";
import { buildConversationTree, type ConversationTreeItem } from "./conversationTree.ts";
import { insertCode, LastEditor } from "./insertCode.ts";
import { pickConversation } from "./openChatPicker.ts";
import { askChatTitle, confirmDelete, type StoredChatState } from "./storedChatTexts.ts";
import { pickRun, pickRuns } from "./pickRuns.ts";
import { ChatPanel, readDistinction } from "./chatPanel.ts";
import { RawEventStore } from "./rawEventStore.ts";
import { SavedRuns, saveRun } from "./savedRuns.ts";
import { WholeTexts } from "./textDocuments.ts";
import { renameConnection, toChatAgent } from "./chatAgents.ts";
import type { TracesOptions } from "./traces.ts";
import { showWarning } from "../../shared/host/notifications.ts";

export interface ChatPanelsOptions extends TracesOptions {
  extensionUri: vscode.Uri;
  changes: ServerChanges;
  /** Fires when a connection has changed. */
  onDidChangeConnection: vscode.Event<unknown>;
  /** The folder for stored conversations, which all windows share; it need not exist. */
  folder: string;
  /** This workspace's folder of older versions, from which conversations are moved. */
  formerFolder: string | undefined;
  /** Seconds an agent may take; 0 is no limit. */
  timeLimit: () => number;
  /** Returns the version of a connection's server; undefined if it does not answer soon. */
  serverVersion: (connectionId: string) => Promise<string | undefined>;
  /** A stored conversation was added, changed or deleted, or its activity has changed. */
  onConversationsChanged: () => void;
}

const pageState = v.object({ chatId: v.string() });

export class ChatPanels implements PanelRestorer, vscode.Disposable {
  readonly savedRuns: SavedRuns;
  readonly #options: ChatPanelsOptions;
  readonly #store: ChatStore;
  readonly #rawEvents: RawEventStore;
  readonly #wholeTexts: WholeTexts;
  readonly #lastEditor = new LastEditor();
  readonly #sessions: ChatSessions;
  readonly #chatState: StoredChatState;
  readonly #badges: AgentBadges;
  /**
   * What told restored tabs apart from those of agents of the same name, by chat id: VS Code restores the others only when
   * they are shown.
   */
  readonly #distinctions = new Map<string, string>();
  readonly #panels: Pages<ChatCalls, ChatPanel>;
  readonly #subscription: { dispose(): void };

  constructor(options: ChatPanelsOptions) {
    const { extensionUri, folder, formerFolder, access, log, timeLimit } = options;
    this.#options = options;
    this.#store = new ChatStore(
      folder,
      (error) => log.error("Could not keep a chat", error),
      formerFolder,
    );
    this.#rawEvents = new RawEventStore({
      folder: path.join(folder, "events"),
      isKept: (chatId) => this.#store.has(chatId),
      cutNotice: () => vscode.l10n.t("Truncated: later events of this answer are not stored."),
      failed: (error) => log.error("Could not keep raw events", error),
    });
    this.#wholeTexts = new WholeTexts(
      async (chatId) => this.savedRuns.find(chatId)?.transcript ?? this.#find(chatId),
      async (chatId, run) =>
        this.savedRuns.find(chatId)?.rawEvents ?? this.#rawEvents.read(chatId, run),
    );
    this.savedRuns = new SavedRuns({
      extensionUri,
      log,
      wholeTexts: this.#wholeTexts,
      insertCode: (code) => insertCode(code, this.#lastEditor.editor),
    });
    this.#sessions = new ChatSessions({
      access,
      log,
      timeLimit,
      store: this.#store,
      rawEvents: this.#rawEvents,
      onChanged: () => {
        this.#update();
        options.onConversationsChanged();
      },
    });
    this.#chatState = {
      connectionName: (connectionId) => access.connectionName(connectionId),
      activity: (chatId) => this.#sessions.find(chatId)?.activity,
    };
    this.#badges = new AgentBadges((agent) => this.#sessions.getActivity(agent));
    this.#panels = new Pages({
      viewType: panels.chat,
      extensionUri,
      page: "chat",
      icon: "chat",
      calls: chatCalls,
      restore: (state, title) => this.#restoreChat(state, title),
      onActiveChanged: () => this.#update(),
      log,
    });
    this.#subscription = vscode.Disposable.from(
      options.changes.onDidChangeServer(({ kind, connectionId }) => {
        if (kind !== "answered" && kind !== "reached") return;
        for (const panel of this.#panels.contents) {
          if (panel.connectionId === connectionId) panel.noteServerAnswer();
        }
      }),
      options.onDidChangeConnection(() => {
        for (const panel of this.#panels.contents) panel.noteConnection();
      }),
    );
  }

  /** The chat that is the active editor. */
  get active(): ChatPanel | undefined {
    return this.#panels.active;
  }

  /** Shows the open conversation with this agent, or starts one; a `draft` is written but not sent. */
  open(agent: AgentRef, { draft }: { draft?: string } = {}): void {
    const open = this.#findByAgent(agent)?.session ?? this.#sessions.findByAgent(agent);
    if (open) this.#show(open.transcript);
    else this.#startConversation(agent);
    if (draft !== undefined) this.#findByAgent(agent)?.setDraft(draft);
  }

  /** Starts another conversation with the agent of the active one, unless that is still empty. */
  startConversation(): void {
    const { runs = [], agent } = this.active?.session.transcript ?? {};
    if (agent && runs.length > 0) this.#startConversation(agent);
  }

  /** Lets the user pick a stored conversation, of this agent if one is given, and shows it. */
  async pickAndOpen(agent?: AgentRef): Promise<void> {
    const chatId = await pickConversation({
      ...this.#chatState,
      title: agent
        ? vscode.l10n.t("Open a Conversation with {0}", agent.name)
        : vscode.l10n.t("Open a Conversation"),
      list: async () =>
        (await this.#store.list()).filter((chat) => !agent || isSameItem(chat.agent, agent)),
      first: this.active?.session.transcript.agent,
      label: (labelled, label) => this.#label(labelled, label),
      search: new ConversationSearch(() => this.#readAll()),
      remove: (removed) => this.#remove(removed),
    });
    if (chatId !== undefined) await this.openStored(chatId);
  }

  async openStored(chatId: string): Promise<void> {
    const transcript = await this.#findOrWarn(chatId);
    if (transcript) this.#show(transcript);
  }

  /** Returns the agents that have conversations, or the conversations of one. */
  async listConversations(parent?: ConversationTreeItem): Promise<ConversationTreeItem[]> {
    if (parent) return parent.children;
    return buildConversationTree(await this.#store.list(), this.#chatState);
  }

  async rename(chatId: string): Promise<void> {
    const chat = await this.#findStored(chatId);
    const title = chat && (await askChatTitle(chat));
    if (title) this.#label(chatId, { ...title, isPinned: chat.isPinned });
  }

  async pin(chatId: string, isPinned: boolean): Promise<void> {
    const chat = await this.#findStored(chatId);
    if (chat) this.#label(chatId, { title: chat.title, isPinned });
  }

  /** Deletes a conversation after a confirmation. */
  async delete(chatId: string): Promise<void> {
    const chat = await this.#findStored(chatId);
    if (chat && (await confirmDelete(chat))) this.#remove(chatId);
  }

  /** Exports a stored conversation as Markdown. */
  async exportStored(chatId: string): Promise<void> {
    const transcript = await this.#findOrWarn(chatId);
    if (!transcript) return;
    const { exportConversation } = await import("./exportConversation.ts");
    await exportConversation(transcript, this.#options.log);
  }

  /** Lets the user pick two answers, one of them of the active chat, and shows their differences. */
  async pickAndCompare(): Promise<void> {
    const transcript = this.active?.session.transcript;
    if (!transcript) return;
    const picked = await pickRuns(transcript, async () => {
      const others = (await this.#store.list()).filter(
        ({ chatId, agent }) => chatId !== transcript.chatId && isSameItem(agent, transcript.agent),
      );
      const found = await Promise.all(others.map(({ chatId }) => this.#find(chatId)));
      return found.filter((one) => one !== undefined);
    });
    if (picked) await this.#wholeTexts.compare(...picked);
  }

  /** The text of one side of such a comparison. */
  readComparedRun(uri: vscode.Uri): Promise<string | undefined> {
    return this.#wholeTexts.readComparedRun(uri);
  }

  /** Lets the user pick an answer of the active chat, and saves it as a file. */
  async pickAndSaveRun(): Promise<void> {
    const transcript = this.active?.session.transcript;
    const picked = transcript && (await pickRun(transcript, vscode.l10n.t("Save Run")));
    if (!picked) return;
    const { access, log, serverVersion } = this.#options;
    const { agent, chatId } = transcript;
    const raw = await this.#rawEvents.read(chatId, picked.run.id);
    await saveRun(
      {
        run: picked.run,
        agent: renameConnection(agent, access),
        serverVersion: await serverVersion(agent.connectionId),
        frames: raw === undefined ? undefined : parseFrames(raw),
      },
      (text) => access.redact(text, agent),
      log,
    );
  }

  /** Lets the user pick an answer of the active chat, and exports or sends its trace. */
  async pickAndTrace(how: "export" | "send"): Promise<void> {
    const transcript = this.active?.session.transcript;
    if (!transcript) return;
    const { exportTrace, sendTraceToCollector } = await import("./traces.ts");
    await (how === "send" ? sendTraceToCollector : exportTrace)(transcript, this.#options);
  }

  /** Shows a run that was made outside of a conversation, and keeps it as one. */
  async openRun(transcript: Transcript): Promise<void> {
    const { chatId, agent } = transcript;
    const stored = await this.#find(chatId);
    if (!stored) {
      this.#store.create({ chatId, agent });
      for (const event of replay(transcript)) this.#store.append(chatId, event);
    }
    this.#show(stored ?? transcript);
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    await Promise.all([this.#store.flush(), this.#rawEvents.flush()]);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#sessions.abandon();
    this.#badges.dispose();
    this.#wholeTexts.dispose();
    this.#lastEditor.dispose();
  }

  /** The newest open panel with this agent. */
  #findByAgent(agent: AgentRef): ChatPanel | undefined {
    return this.#panels.contents.findLast(({ session }) =>
      isSameItem(session.transcript.agent, agent),
    );
  }

  /** A new conversation, in a panel of its own. */
  #startConversation(agent: AgentRef): void {
    const head = { chatId: randomUUID(), agent: toChatAgent(agent, this.#options.access) };
    this.#store.create(head);
    this.#show(emptyTranscript(head));
  }

  #show(transcript: Transcript): void {
    this.#panels.show(transcript.chatId, () => this.#createPanel(transcript));
  }

  #createPanel(transcript: Transcript): ChatPanel {
    const { access, log } = this.#options;
    return new ChatPanel({
      session: this.#sessions.open(transcript),
      access,
      log,
      wholeTexts: this.#wholeTexts,
      getDistinction: () =>
        this.#findDistinction(transcript.agent) ?? this.#distinctions.get(transcript.chatId),
      insertCode: (code) => insertCode(code, this.#lastEditor.editor),
    });
  }

  /** Returns the connection's name, or the project's, if another tab has an agent of the same name. */
  #findDistinction(agent: ChatAgent): string | undefined {
    const others = this.#panels.contents
      .map(({ session }) => session.transcript.agent)
      .filter(({ name }) => name === agent.name);
    const { connectionId, project } = agent;
    if (others.some((other) => other.connectionId !== connectionId)) {
      return renameConnection(agent, this.#options.access).connection;
    }
    return others.some((other) => other.project !== project) ? project : undefined;
  }

  async #restoreChat(state: unknown, title: string): Promise<RestoredPage<ChatPanel> | undefined> {
    const saved = v.safeParse(pageState, state);
    const transcript = saved.success ? await this.#find(saved.output.chatId) : undefined;
    if (transcript) {
      const { agent, chatId } = transcript;
      const { connection } = renameConnection(agent, this.#options.access);
      const told = readDistinction(title, agent.name, [connection, agent.project]);
      if (told === undefined) this.#distinctions.delete(chatId);
      else this.#distinctions.set(chatId, told);
      return { key: chatId, create: () => this.#createPanel(transcript) };
    }
    void showWarning(
      vscode.l10n.t("A conversation could not be restored: it is no longer stored."),
    );
    return undefined;
  }

  async #findStored(chatId: string): Promise<StoredChat | undefined> {
    const chat = (await this.#store.list()).find((one) => one.chatId === chatId);
    if (!chat) this.#warnOfGone();
    return chat;
  }

  #label(chatId: string, label: ChatLabel): void {
    this.#store.label(chatId, label);
    const open = this.#sessions.find(chatId)?.transcript;
    if (open) open.title = label.title;
    this.#update();
    this.#options.onConversationsChanged();
  }

  #remove(chatId: string): void {
    this.#sessions.end(chatId);
    this.#panels.close(chatId);
    this.#store.remove(chatId);
    this.#rawEvents.remove(chatId);
    this.#options.onConversationsChanged();
  }

  async #findOrWarn(chatId: string): Promise<Transcript | undefined> {
    const transcript = await this.#find(chatId);
    if (!transcript) this.#warnOfGone();
    return transcript;
  }

  /** Another window has deleted a conversation that this one still lists. */
  #warnOfGone(): void {
    void showWarning(vscode.l10n.t("This conversation is no longer stored."));
    this.#options.onConversationsChanged();
  }

  async #find(chatId: string): Promise<Transcript | undefined> {
    return this.#sessions.find(chatId)?.transcript ?? this.#store.read(chatId);
  }

  /** One after the other: each may have many megabytes of steps. */
  async *#readAll(): AsyncGenerator<Transcript> {
    for (const { chatId } of await this.#store.list()) {
      const transcript = await this.#find(chatId);
      if (transcript) yield transcript;
    }
  }

  /** Updates titles, badges and context keys when a panel or a run has changed. */
  #update(): void {
    for (const panel of this.#panels.contents) {
      this.#panels.updateTitle(panel);
      panel.noteConnection();
    }
    this.#badges.changed();
    const transcript = this.active?.session.transcript;
    const last = transcript?.runs.at(-1);
    const set = (key: string, value: boolean): void => {
      void vscode.commands.executeCommand("setContext", key, value);
    };
    set(contextKeys.chatActive, !!transcript);
    set(contextKeys.chatRunning, this.active?.conversation.running ?? false);
    const hasEvents = transcript && last && this.#rawEvents.has(transcript.chatId, last.id);
    set(contextKeys.chatHasEvents, hasEvents ?? false);
    const answered = this.#sessions.all.some(({ transcript }) =>
      transcript.runs.some(({ state }) => state === "answered"),
    );
    if (answered) set(contextKeys.answered, true);
  }
}
