// The chat's commands, and its return after a reload. The chat itself is imported with the first panel.
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { ChatPanel } from "./chatPanel.ts";
import type { ChatPanels, ChatPanelsOptions } from "./chatPanels.ts";

export class ChatCommands implements vscode.Disposable {
  readonly #options: ChatPanelsOptions;
  readonly #subscriptions: vscode.Disposable[];
  #chats: Promise<ChatPanels> | undefined;

  /** `pickAgent` asks the user which agent, for `MindsDB: Ask Agent…` from the palette. */
  constructor(options: ChatPanelsOptions, pickAgent: () => Promise<AgentRef | undefined>) {
    this.#options = options;
    const register = vscode.commands.registerCommand;
    this.#subscriptions = [
      restorePanels(panels.chat, () => this.load()),
      register(commands.agentAsk, async (given?: AgentRef) => {
        const agent = given ?? (await pickAgent());
        if (agent) (await this.load()).open(agent);
      }),
      register(commands.chatOpen, async (given?: unknown) => {
        // From the title bar of a chat VS Code hands over something of its own.
        const agent = isAgentRef(given) ? given : undefined;
        await (await this.load()).openKept(agent);
      }),
      register(commands.chatStop, () => this.#inActive((chat) => chat.conversation.stop())),
      register(commands.chatRetry, () => this.#inActive((chat) => chat.conversation.retry())),
      register(commands.chatShowRawEvents, () =>
        this.#inActive((chat) => {
          chat.showRawEvents();
        }),
      ),
      register(commands.chatFocusLastAnswer, () =>
        this.#inActive((chat) => {
          chat.focusLastAnswer();
        }),
      ),
    ];
  }

  /** All chats; the same ones every time. */
  load(): Promise<ChatPanels> {
    this.#chats ??= import("./chatPanels.ts").then(
      ({ ChatPanels }) => new ChatPanels(this.#options),
    );
    return this.#chats;
  }

  /** Writes the question into the chat with the agent that the user picks, for the user to send. */
  async askAbout(question: string, pick: () => Promise<AgentRef | undefined>): Promise<void> {
    const agent = await pick();
    if (agent) (await this.load()).open(agent, { draft: question });
  }

  /** Ends what is being asked; resolves when everything that came is on disk. */
  async end(): Promise<void> {
    const chats = await this.#chats;
    chats?.dispose();
    await chats?.flush();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.end();
  }

  async #inActive(work: (chat: ChatPanel) => void): Promise<void> {
    const chat = (await this.#chats)?.active;
    if (chat) work(chat);
  }
}

function isAgentRef(value: unknown): value is AgentRef {
  return typeof value === "object" && value !== null && "connectionId" in value && "name" in value;
}
