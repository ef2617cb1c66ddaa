// How stored conversations look in the picker and in the side bar, and what the user is asked about them.
import * as vscode from "vscode";
import { askText } from "../../shared/host/quickInput.ts";
import { oneLine, plainLabel } from "../../shared/oneLine.ts";
import { formatRelativeTime } from "../relativeTime.ts";
import { maxTitleLength } from "./chatLabels.ts";
import type { AgentActivity } from "./chatSession.ts";
import type { StoredChat } from "./chatStore.ts";
import { askConsent } from "../../shared/host/consent.ts";

/** State that is not stored with a conversation. */
export interface StoredChatState {
  /** Returns a connection's current name; undefined if it was removed. */
  connectionName: (connectionId: string) => string | undefined;
  /** Returns the activity of a conversation in this window. */
  activity: (chatId: string) => AgentActivity | undefined;
}

export function formatLabel({ title, question }: StoredChat): string {
  return plainLabel(title ?? question, maxTitleLength);
}

/** The icon of the agent's activity or, without one, of a pin. */
export function getIcon(
  { chatId, isPinned = false }: StoredChat,
  { activity }: StoredChatState,
): vscode.ThemeIcon | undefined {
  const now = activity(chatId);
  if (now === undefined) return isPinned ? new vscode.ThemeIcon("pinned") : undefined;
  return new vscode.ThemeIcon({ answering: "loading~spin", unread: "circle-filled" }[now]);
}

/** Time and activity, which the icon shows too. */
export function formatDetail(
  { chatId, changed }: StoredChat,
  { activity }: StoredChatState,
): string {
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

export function formatConnection(
  { agent }: StoredChat,
  { connectionName }: StoredChatState,
): string {
  return connectionName(agent.connectionId) ?? vscode.l10n.t("{0} (removed)", agent.connection);
}

/** Asks for a name; an empty one takes the name away. Undefined when closed. */
export async function askChatTitle({
  title,
  question,
}: StoredChat): Promise<{ title: string | undefined } | undefined> {
  const text = await askText({
    title: vscode.l10n.t("Rename Conversation"),
    prompt: vscode.l10n.t("Without a name, the first question is shown."),
    value: title ?? oneLine(question, maxTitleLength),
  });
  if (typeof text !== "string") return undefined;
  const name = oneLine(text, maxTitleLength);
  return { title: name === "" ? undefined : name };
}

export async function confirmDelete(chat: StoredChat): Promise<boolean> {
  const button = vscode.l10n.t("Delete");
  const message = vscode.l10n.t(
    "Delete the conversation “{0}”?",
    chat.title ?? oneLine(chat.question, maxTitleLength),
  );
  return (await askConsent(message, [], button)) === button;
}
