// The chat's commands. The panels are imported on first use.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { commands, panels } from "../../ids.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { OneRun } from "../askOnce.ts";
import type { ChatPanel } from "./chatPanel.ts";
import type { ChatPanels, ChatPanelsOptions } from "./chatPanels.ts";

export interface ChatCommandsOptions extends Omit<ChatPanelsOptions, "access"> {
  servers: ServerAccess;
}

export class ChatCommands implements vscode.Disposable {
  readonly #options: ChatCommandsOptions;
  readonly #subscriptions: vscode.Disposable[];
  #chats: Promise<ChatPanels> | undefined;

  /** `pickAgent` asks the user for the agent if the command is given none. */
  constructor(options: ChatCommandsOptions, pickAgent: () => Promise<AgentRef | undefined>) {
    this.#options = options;
    const register = vscode.commands.registerCommand;
    this.#subscriptions = [
      restorePanels(panels.chat, () => this.load()),
      register(commands.agentAsk, async (given?: AgentRef) => {
        const agent = given ?? (await pickAgent());
        if (agent) (await this.load()).open(agent);
      }),
      register(commands.chatOpen, async (given?: unknown) => {
        // In a chat's title bar VS Code passes its own argument.
        const agent = isAgentRef(given) ? given : undefined;
        await (await this.load()).pickAndOpen(agent);
      }),
      register(commands.chatStop, () => this.#inActive((chat) => chat.conversation.stop())),
      register(commands.chatRetry, () => this.#inActive((chat) => chat.conversation.retry())),
      register(commands.chatShowRawEvents, () =>
        this.#inActive((chat) => {
          chat.showRawEvents();
        }),
      ),
      register(commands.chatExport, () => this.#inActive((chat) => void chat.exportConversation())),
      register(commands.chatCompare, async () => (await this.#chats)?.pickAndCompare()),
      register(commands.chatAskAboutSelection, async () => {
        const { quoteSelection } = await import("./quoteSelection.ts");
        const draft = quoteSelection();
        if (draft !== undefined) await this.askAbout(draft, pickAgent);
      }),
      register(commands.chatFocusLastAnswer, () =>
        this.#inActive((chat) => {
          chat.focusLastAnswer();
        }),
      ),
    ];
  }

  /** All chats; the same object each time. */
  load(): Promise<ChatPanels> {
    this.#chats ??= (async () => {
      const { ChatPanels } = await import("./chatPanels.ts");
      return new ChatPanels(await this.#withAccess());
    })();
    return this.#chats;
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
    const chats = await this.#chats;
    chats?.dispose();
    await chats?.flush();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.end();
  }

  async #withAccess(): Promise<ChatPanelsOptions> {
    const { createAgentAccess } = await import("./createAgentAccess.ts");
    return { ...this.#options, access: createAgentAccess(this.#options.servers) };
  }

  async #inActive(work: (chat: ChatPanel) => void): Promise<void> {
    const chat = (await this.#chats)?.active;
    if (chat) work(chat);
  }
}

function isAgentRef(value: unknown): value is AgentRef {
  return typeof value === "object" && value !== null && "connectionId" in value && "name" in value;
}
