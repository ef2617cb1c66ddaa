// `MindsDB: Open Conversation…`: a list of the conversations that are kept, to open one or delete some.
import * as vscode from "vscode";
import { oneLine } from "../../shared/oneLine.ts";
import { timeAgo } from "../timeAgo.ts";
import type { KeptChat } from "./chatStore.ts";
import { showInformation } from "../../shared/host/notifications.ts";

interface KeptItem extends vscode.QuickPickItem {
  chatId: string;
}

export interface KeptChats {
  title: string;
  /** The newest first. */
  list: () => Promise<KeptChat[]>;
  /** The name that a connection has now; undefined once it is removed. */
  connectionName: (connectionId: string) => string | undefined;
  remove: (chatId: string) => void;
}

const longestLabel = 120;

/** Lets the user pick a conversation, by its id. Undefined when closed; says so if there is none. */
export async function pickConversation(kept: KeptChats): Promise<string | undefined> {
  const chats = await kept.list();
  if (chats.length === 0) {
    void showInformation(
      vscode.l10n.t("No conversations yet. Conversations are saved after your first question."),
    );
    return undefined;
  }
  const remove: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("trash"),
    tooltip: vscode.l10n.t("Delete This Conversation"),
  };
  const pick = vscode.window.createQuickPick<KeptItem>();
  pick.title = kept.title;
  pick.placeholder = vscode.l10n.t("Which conversation?");
  pick.matchOnDescription = true;
  pick.items = chats.map((chat) => ({
    label: shortened(chat.question),
    description: `${chat.agent.name} · ${connectionOf(chat, kept)}`,
    detail: timeAgo(chat.changed, Date.now(), vscode.env.language),
    buttons: [remove],
    chatId: chat.chatId,
  }));
  return new Promise((resolve) => {
    pick.onDidTriggerItemButton(({ item }) => {
      kept.remove(item.chatId);
      pick.keepScrollPosition = true;
      pick.items = pick.items.filter(({ chatId }) => chatId !== item.chatId);
      if (pick.items.length === 0) pick.hide();
    });
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (!item) return;
      resolve(item.chatId);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function connectionOf({ agent }: KeptChat, { connectionName }: KeptChats): string {
  return connectionName(agent.connectionId) ?? vscode.l10n.t("{0} (removed)", agent.connection);
}

/** One line. VS Code would draw an icon for "$(name)". */
function shortened(question: string): string {
  return oneLine(question, longestLabel).replaceAll("$(", "$\u200B(");
}
