// `MindsDB: Open Conversation…`: a list of the conversations that are kept, to open one or delete some.
import * as vscode from "vscode";
import { oneLine } from "../../shared/oneLine.ts";
import { formatRelativeTime } from "../relativeTime.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { isSameAgent, type AgentActivity } from "./chatSessions.ts";
import type { StoredChat } from "./chatStore.ts";
import { showInformation } from "../../shared/host/notifications.ts";

interface KeptItem extends vscode.QuickPickItem {
  /** Absent for a line between items. */
  chatId?: string;
}

const separator = vscode.QuickPickItemKind.Separator;

export interface OpenChatPicker {
  title: string;
  /** The newest first. */
  list: () => Promise<StoredChat[]>;
  /** The name that a connection has now; undefined once it is removed. */
  connectionName: (connectionId: string) => string | undefined;
  /** The agent whose conversations stand on top. */
  first: AgentRef | undefined;
  /** What goes on in a conversation of this window. */
  activity: (chatId: string) => AgentActivity | undefined;
  remove: (chatId: string) => void;
}

const maxLabelLength = 120;

/** Lets the user pick a conversation, by its id. Undefined when closed; says so if there is none. */
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
  const pick = vscode.window.createQuickPick<KeptItem>();
  pick.title = kept.title;
  pick.placeholder = vscode.l10n.t("Which conversation?");
  pick.matchOnDescription = true;
  const itemOf = (chat: StoredChat): KeptItem => ({
    label: shortened(chat.question),
    ...activityLook(kept.activity(chat.chatId)),
    description: `${chat.agent.name} · ${connectionOf(chat, kept)}`,
    detail: detailOf(chat, kept),
    buttons: [remove],
    chatId: chat.chatId,
  });
  pick.items = grouped(chats, kept.first).map((chat) =>
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

/** The conversations of one agent on top, each group below a line that names it. */
function grouped(chats: StoredChat[], first: AgentRef | undefined): (StoredChat | string)[] {
  const own = chats.filter(({ agent }) => first && isSameAgent(agent, first));
  const others = chats.filter((chat) => !own.includes(chat));
  if (!first || own.length === 0 || others.length === 0) return chats;
  return [first.name, ...own, vscode.l10n.t("Other Agents"), ...others];
}

function activityLook(activity: AgentActivity | undefined): { iconPath?: vscode.ThemeIcon } {
  if (activity === undefined) return {};
  return {
    iconPath: new vscode.ThemeIcon(activity === "answering" ? "loading~spin" : "circle-filled"),
  };
}

/** The same for those who do not see the icon. */
function detailOf({ chatId, changed }: StoredChat, { activity }: OpenChatPicker): string {
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

function connectionOf({ agent }: StoredChat, { connectionName }: OpenChatPicker): string {
  return connectionName(agent.connectionId) ?? vscode.l10n.t("{0} (removed)", agent.connection);
}

/** One line. VS Code would draw an icon for "$(name)". */
function shortened(question: string): string {
  return oneLine(question, maxLabelLength).replaceAll("$(", "$\u200B(");
}
