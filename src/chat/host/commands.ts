// The chat's commands. The panels are imported on first use.
import * as vscode from "vscode";
import { commands, editors, fileSystems, panels, views } from "../../ids.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { registerDocuments } from "../../shared/host/textDocuments.ts";
import { lazy } from "../../shared/lazy.ts";
import { isItemRef, type AgentRef } from "../../mindsdb/references.ts";
import type { OneRun } from "../askOnce.ts";
import type { ChatPanel } from "./chatPanel.ts";
import type { ChatPanels, ChatPanelsOptions } from "./chatPanels.ts";
import type { SavedRunDocument } from "./savedRuns.ts";
import type { ConversationTreeItem } from "./conversationTree.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ChatCommands["registration"]> {}
}

type ChatCommandsOptions = Omit<
  ChatPanelsOptions,
  "access" | "serverVersion" | "onConversationsChanged"
>;

/** For the version of a server that a run is saved with, in ms. */
const maxStatusTime = 2000;

/** The argument of keys in the view "Conversations". */
const ofSelected = "selected";

/** A stored conversation; rows of the view "Conversations" are such references. */
interface ConversationRef {
  chatId: string;
}

export class ChatCommands implements vscode.Disposable {
  /** All chats; the same object each time. */
  readonly load = lazy(async () => {
    const { ChatPanels } = await import("./chatPanels.ts");
    return new ChatPanels(await this.#withAccess());
  });
  readonly registration;
  readonly #options: ChatCommandsOptions;
  readonly #conversationsChanged = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<ConversationTreeItem>;

  /** `pickAgent` asks the user for the agent if the command is given none. */
  constructor(options: ChatCommandsOptions, pickAgent: () => Promise<AgentRef | undefined>) {
    this.#options = options;
    this.#view = this.#createView();
    /** VS Code passes a row of the view, or its own argument. */
    const onConversation =
      (work: (chats: ChatPanels, chatId: string) => Promise<void>) => (given?: unknown) =>
        this.#withConversation(given, work);
    const onActive = (work: (chat: ChatPanel) => void) => async () => {
      const chat = (await this.load.loaded)?.active;
      if (chat) work(chat);
    };
    this.registration = registerCommands(
      {
        [commands.agentAsk]: async (given?: AgentRef) => {
          const agent = given ?? (await pickAgent());
          if (agent) (await this.load()).open(agent);
        },
        [commands.chatNew]: async () => (await this.load.loaded)?.startConversation(),
        [commands.chatOpen]: async (given?: unknown) => {
          // In a chat's title bar VS Code passes its own argument.
          const agent = isItemRef(given) ? given : undefined;
          await (await this.load()).pickAndOpen(agent);
        },
        [commands.chatShow]: async (given: ConversationRef) =>
          (await this.load()).openStored(given.chatId),
        [commands.chatRename]: onConversation((chats, chatId) => chats.rename(chatId)),
        [commands.chatPin]: onConversation((chats, chatId) => chats.pin(chatId, true)),
        [commands.chatUnpin]: onConversation((chats, chatId) => chats.pin(chatId, false)),
        [commands.chatDelete]: onConversation((chats, chatId) => chats.delete(chatId)),
        [commands.chatExport]: onConversation((chats, chatId) => chats.exportStored(chatId)),
        [commands.chatStop]: onActive((chat) => chat.conversation.stop()),
        [commands.chatRetry]: onActive((chat) => chat.conversation.retry()),
        [commands.chatShowRawEvents]: onActive((chat) => chat.showRawEvents()),
        [commands.chatFocusLastAnswer]: onActive((chat) => chat.focusLastAnswer()),
        [commands.chatSaveRun]: async () => (await this.load.loaded)?.pickAndSaveRun(),
        [commands.chatExportTrace]: async () => (await this.load.loaded)?.pickAndTrace("export"),
        [commands.chatSendTrace]: async () => (await this.load.loaded)?.pickAndTrace("send"),
        [commands.chatOpenSavedRun]: async () =>
          (await import("./savedRuns.ts")).pickAndOpenSavedRun(),
        [commands.chatCompare]: async () => (await this.load.loaded)?.pickAndCompare(),
        [commands.chatAskAboutSelection]: async () => {
          const { quoteSelection } = await import("./quoteSelection.ts");
          const draft = quoteSelection();
          if (draft !== undefined) await this.askAbout(draft, pickAgent);
        },
      },
      this.#conversationsChanged,
      this.#view,
      restorePanels(panels.chat, this.load),
      this.#createSavedRunEditor(),
      registerDocuments(fileSystems.answers, async (uri) =>
        (await this.load()).readComparedRun(uri),
      ),
    );
  }

  /** Writes a question into the chat with an agent that the user picks. */
  async askAbout(question: string, pick: () => Promise<AgentRef | undefined>): Promise<void> {
    const agent = await pick();
    if (agent) (await this.load()).open(agent, { draft: question });
  }

  /** Asks one question outside of any conversation. Rejects with the signal's reason. */
  async askOnce(agent: AgentRef, question: string, signal: AbortSignal): Promise<OneRun> {
    const { askOneQuestion } = await import("./askOneQuestion.ts");
    return askOneQuestion(await this.#withAccess(), agent, question, signal);
  }

  /** Stops all runs; resolves when everything is on disk. */
  async end(): Promise<void> {
    const chats = await this.load.loaded;
    chats?.dispose();
    await chats?.flush();
  }

  dispose(): void {
    this.registration.dispose();
    void this.end();
  }

  async #withAccess(): Promise<ChatPanelsOptions> {
    const { createAgentAccess } = await import("./createAgentAccess.ts");
    return {
      ...this.#options,
      access: createAgentAccess(this.#options.servers),
      serverVersion: (id) => this.#readServerVersion(id),
      onConversationsChanged: () => this.#conversationsChanged.fire(undefined),
    };
  }

  /** The view lists nothing, and loads nothing, until the user opens it. */
  #createView(): vscode.TreeView<ConversationTreeItem> {
    const changed = this.#conversationsChanged;
    const view = vscode.window.createTreeView<ConversationTreeItem>(views.conversations, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: ({ item }) => item,
        getChildren: async (parent) => (await this.load()).listConversations(parent),
      },
      showCollapseAll: true,
    });
    // Other windows store conversations too, and "5 minutes ago" gets old.
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) changed.fire(undefined);
    });
    return view;
  }

  #createSavedRunEditor(): vscode.Disposable {
    const provider: vscode.CustomReadonlyEditorProvider<SavedRunDocument> = {
      openCustomDocument: async (uri) => (await this.load()).savedRuns.open(uri),
      resolveCustomEditor: async (document, panel) =>
        (await this.load()).savedRuns.show(document, panel),
    };
    const options = { webviewOptions: { enableFindWidget: true } };
    return vscode.window.registerCustomEditorProvider(editors.savedRun, provider, options);
  }

  /** Does something with the given conversation, with the one selected in the view, or with the active chat's. */
  async #withConversation(
    given: unknown,
    work: (chats: ChatPanels, chatId: string) => Promise<void>,
  ): Promise<void> {
    const chats = await this.load();
    // VS Code passes a key's command no row, and in a chat's title bar its own argument.
    const otherwise = given === ofSelected ? undefined : chats.active?.session.transcript.chatId;
    const row = given === ofSelected ? this.#view.selection[0] : given;
    const chatId = isConversationRef(row) ? row.chatId : otherwise;
    if (chatId !== undefined) await work(chats, chatId);
  }

  async #readServerVersion(connectionId: string): Promise<string | undefined> {
    try {
      const signal = AbortSignal.timeout(maxStatusTime);
      return (await this.#options.servers.status(connectionId, signal)).version;
    } catch {
      return undefined;
    }
  }
}

function isConversationRef(value: unknown): value is ConversationRef {
  return typeof value === "object" && value !== null && "chatId" in value;
}
