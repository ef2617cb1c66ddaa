// `MindsDB: Open Conversation…`: a list of the stored conversations, to open or delete.
import * as vscode from "vscode";
import { plainLabel } from "../../shared/oneLine.ts";
import { formatRelativeTime } from "../relativeTime.ts";
import { isSameItem, type AgentRef } from "../../mindsdb/references.ts";
import type { AgentActivity } from "./chatSessions.ts";
import type { StoredChat } from "./chatStore.ts";
import { showInformation } from "../../shared/host/notifications.ts";

interface ChatItem extends vscode.QuickPickItem {
  /** Absent for separators. */
  chatId?: string;
}

const separator = vscode.QuickPickItemKind.Separator;

export interface OpenChatPicker {
  title: string;
  /** The newest first. */
  list: () => Promise<StoredChat[]>;
  /** Returns a connection's current name; undefined if it was removed. */
  connectionName: (connectionId: string) => string | undefined;
  /** The agent whose conversations come first. */
  first: AgentRef | undefined;
  /** Returns the activity of a conversation in this window. */
  activity: (chatId: string) => AgentActivity | undefined;
  remove: (chatId: string) => void;
}

const maxLabelLength = 120;

/** Lets the user pick a conversation and returns its id; undefined when closed, or after a message if there is none. */
export async function pickConversation(kept: OpenChatPicker): Promise<string | undefined> {
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
  const pick = vscode.window.createQuickPick<ChatItem>();
  pick.title = kept.title;
  pick.placeholder = vscode.l10n.t("Select a conversation");
  pick.matchOnDescription = true;
  const itemOf = (chat: StoredChat): ChatItem => ({
    label: shortenQuestion(chat.question),
    ...getActivityIcon(kept.activity(chat.chatId)),
    description: `${chat.agent.name} · ${formatConnection(chat, kept)}`,
    detail: formatDetail(chat, kept),
    buttons: [remove],
    chatId: chat.chatId,
  });
  pick.items = groupByAgent(chats, kept.first).map((chat) =>
    typeof chat === "string" ? { label: chat, kind: separator } : itemOf(chat),
  );
  return new Promise((resolve) => {
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.chatId === undefined) return;
      kept.remove(item.chatId);
      pick.keepScrollPosition = true;
      pick.items = pick.items.filter(({ chatId }) => chatId !== item.chatId);
      if (pick.items.every(({ kind }) => kind === separator)) pick.hide();
    });
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item?.chatId === undefined) return;
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

/** Returns the conversations of one agent first, with a title for each group. */
function groupByAgent(chats: StoredChat[], first: AgentRef | undefined): (StoredChat | string)[] {
  const own = chats.filter(({ agent }) => first && isSameItem(agent, first));
  const others = chats.filter((chat) => !own.includes(chat));
  if (!first || own.length === 0 || others.length === 0) return chats;
  return [first.name, ...own, vscode.l10n.t("Other Agents"), ...others];
}

function getActivityIcon(activity: AgentActivity | undefined): { iconPath?: vscode.ThemeIcon } {
  if (activity === undefined) return {};
  return {
    iconPath: new vscode.ThemeIcon(activity === "answering" ? "loading~spin" : "circle-filled"),
  };
}

/** Time and activity, which the icon shows too. */
function formatDetail({ chatId, changed }: StoredChat, { activity }: OpenChatPicker): string {
  const when = formatRelativeTime(changed, Date.now(), vscode.env.language);
  switch (activity(chatId)) {
    case "answering":
      return vscode.l10n.t("{0} · answering", when);
    case "unread":
      return vscode.l10n.t("{0} · new answer", when);
    case undefined:
      return when;
  }
}

function formatConnection({ agent }: StoredChat, { connectionName }: OpenChatPicker): string {
  return connectionName(agent.connectionId) ?? vscode.l10n.t("{0} (removed)", agent.connection);
}

/** One line, in which VS Code draws no icon for "$(name)". */
function shortenQuestion(question: string): string {
  return plainLabel(question, maxLabelLength);
}
