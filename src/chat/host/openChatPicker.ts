// `MindsDB: Open Conversation…`: a list of the stored conversations, to search, open, rename, pin or delete.
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { ConversationSearch } from "../conversationSearch.ts";
import { isSameItem, type AgentRef } from "../../mindsdb/references.ts";
import type { ChatLabel } from "./chatLabels.ts";
import type { StoredChat } from "./chatStore.ts";
import { showInformation } from "../../shared/host/notifications.ts";
import {
  askChatTitle,
  formatConnection,
  formatDetail,
  formatLabel,
  getIcon,
  type StoredChatState,
} from "./storedChatTexts.ts";
import { plainLabel } from "../../shared/oneLine.ts";
import { toPlainItems } from "../../shared/host/pickItem.ts";

interface ChatItem extends vscode.QuickPickItem {
  /** Absent for separators. */
  chatId?: string;
}

const separator = vscode.QuickPickItemKind.Separator;

interface PickerOptions extends StoredChatState {
  title: string;
  /** The pinned ones, then the newest first. */
  list: () => Promise<StoredChat[]>;
  /** The agent whose conversations come first. */
  first: AgentRef | undefined;
  label: (chatId: string, label: ChatLabel) => void;
  search: ConversationSearch;
  remove: (chatId: string) => void;
}

/** Lets the user pick a conversation and returns its id; undefined when closed, or after a message if there is none. */
export async function pickConversation(options: PickerOptions): Promise<string | undefined> {
  const chats = await options.list();
  if (chats.length === 0) {
    void showInformation(
      vscode.l10n.t("No conversations yet. Conversations are saved after your first question."),
    );
    return undefined;
  }
  return new ConversationPicker(options, chats).picked;
}

class ConversationPicker {
  /** Resolves with the conversation's id; undefined when closed. */
  readonly picked: Promise<string | undefined>;
  readonly #options: PickerOptions;
  readonly #pick = vscode.window.createQuickPick<ChatItem>();
  readonly #buttons = {
    pin: createButton("pin", vscode.l10n.t("Pin This Conversation")),
    unpin: createButton("pinned", vscode.l10n.t("Unpin This Conversation")),
    rename: createButton("edit", vscode.l10n.t("Rename This Conversation…")),
    remove: createButton("trash", vscode.l10n.t("Delete This Conversation…")),
  };
  #chats: StoredChat[];
  /** Matching excerpts of questions and answers, by conversation. */
  #excerpts: ReadonlyMap<string, string> = new Map();
  /** Another input is shown in place of the list. */
  #isAsking = false;

  constructor(options: PickerOptions, chats: StoredChat[]) {
    this.#options = options;
    this.#chats = chats;
    const pick = this.#pick;
    pick.title = plainLabel(options.title);
    pick.placeholder = vscode.l10n.t("Select a conversation, or search questions and answers");
    pick.matchOnDescription = true;
    this.#draw();
    this.picked = new Promise((resolve) => {
      pick.onDidTriggerItemButton(({ item, button }) => void this.#act(button, item.chatId));
      pick.onDidChangeValue((value) => void this.#search(value));
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item?.chatId === undefined) return;
        resolve(item.chatId);
        pick.hide();
      });
      pick.onDidHide(() => {
        if (this.#isAsking) return;
        resolve(undefined);
        pick.dispose();
      });
      pick.show();
    });
  }

  #draw(): void {
    this.#pick.keepScrollPosition = true;
    this.#pick.items = toPlainItems(
      groupByAgent(this.#chats, this.#options.first).map((chat) =>
        typeof chat === "string" ? { label: chat, kind: separator } : this.#toItem(chat),
      ),
    );
  }

  #toItem(chat: StoredChat): ChatItem {
    const { chatId, agent, isPinned = false } = chat;
    const iconPath = getIcon(chat, this.#options);
    const { pin, unpin, rename, remove } = this.#buttons;
    const excerpt = this.#excerpts.get(chatId);
    return {
      label: formatLabel(chat),
      ...(iconPath && { iconPath }),
      description: `${agent.name} · ${formatConnection(chat, this.#options)}`,
      detail: [formatDetail(chat, this.#options), ...(excerpt === undefined ? [] : [excerpt])].join(
        " · ",
      ),
      // VS Code itself does not look for what was typed in questions and answers.
      alwaysShow: excerpt !== undefined,
      buttons: [isPinned ? unpin : pin, rename, remove],
      chatId,
    };
  }

  async #act(button: vscode.QuickInputButton, chatId: string | undefined): Promise<void> {
    const chat = this.#chats.find((one) => one.chatId === chatId);
    if (!chat) return;
    const { title, isPinned = false } = chat;
    const { rename, remove } = this.#buttons;
    if (button === remove) this.#options.remove(chat.chatId);
    else if (button === rename) await this.#rename(chat);
    else this.#options.label(chat.chatId, { title, isPinned: !isPinned });
    this.#chats = await this.#options.list();
    this.#draw();
    if (this.#chats.length === 0) this.#pick.hide();
  }

  async #rename(chat: StoredChat): Promise<void> {
    this.#isAsking = true;
    const title = await askChatTitle(chat);
    this.#isAsking = false;
    if (title) this.#options.label(chat.chatId, { ...title, isPinned: chat.isPinned });
    this.#pick.show();
  }

  async #search(value: string): Promise<void> {
    const found = await this.#options.search.find(value);
    if (value !== this.#pick.value || isDeepStrictEqual(found, this.#excerpts)) return;
    this.#excerpts = found;
    this.#draw();
  }
}

function createButton(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

/** Returns the conversations of one agent first, with a title for each group. */
function groupByAgent(chats: StoredChat[], first: AgentRef | undefined): (StoredChat | string)[] {
  if (!first) return chats;
  const own = chats.filter(({ agent }) => isSameItem(agent, first));
  const others = chats.filter(({ agent }) => !isSameItem(agent, first));
  if (own.length === 0 || others.length === 0) return chats;
  return [first.name, ...own, vscode.l10n.t("Other Agents"), ...others];
}
