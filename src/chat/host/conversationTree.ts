// The rows of the view "Conversations": agents, and below each its conversations.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { bindCommand } from "../../shared/host/commands.ts";
import { agentUri } from "../../shared/host/agentUri.ts";
import type { StoredChat } from "./chatStore.ts";
import {
  formatConnection,
  formatDetail,
  formatLabel,
  getIcon,
  type StoredChatState,
} from "./storedChatTexts.ts";
import { plainLabel } from "../../shared/oneLine.ts";

export interface ConversationTreeItem {
  item: vscode.TreeItem;
  children: ConversationTreeItem[];
  /** Makes the row of a conversation a reference for commands; absent for agents. */
  chatId?: string;
}

/** Agents and conversations keep the order of `chats`: the pinned ones, then the newest first. */
export function buildConversationTree(
  chats: readonly StoredChat[],
  state: StoredChatState,
): ConversationTreeItem[] {
  const agents = new Map<string, ConversationTreeItem>();
  for (const chat of chats) {
    const id = agentUri(chat.agent).toString();
    const agent = agents.get(id) ?? { item: buildAgentItem(id, chat, state), children: [] };
    agents.set(id, agent);
    agent.children.push({ item: buildChatItem(chat, state), children: [], chatId: chat.chatId });
  }
  return [...agents.values()];
}

function buildAgentItem(id: string, chat: StoredChat, state: StoredChatState): vscode.TreeItem {
  const { Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(plainLabel(chat.agent.name), Expanded);
  item.id = id;
  item.contextValue = "agent";
  item.iconPath = new vscode.ThemeIcon("comment-discussion");
  item.description = plainLabel(formatConnection(chat, state));
  item.tooltip = plainLabel(`${chat.agent.project}.${chat.agent.name}`);
  // For the badge that the agent has in the other view, too.
  item.resourceUri = agentUri(chat.agent);
  return item;
}

function buildChatItem(chat: StoredChat, state: StoredChatState): vscode.TreeItem {
  const { chatId, isPinned = false } = chat;
  const label = plainLabel(formatLabel(chat));
  const item = new vscode.TreeItem(label);
  item.id = chatId;
  item.contextValue = isPinned ? "conversation.pinned" : "conversation";
  item.iconPath = getIcon(chat, state) ?? new vscode.ThemeIcon("comment");
  item.description = plainLabel(formatDetail(chat, state));
  item.tooltip = label;
  const pinned = isPinned ? [vscode.l10n.t("pinned")] : [];
  item.accessibilityInformation = { label: [label, item.description, ...pinned].join(", ") };
  item.command = bindCommand(commands.chatShow, vscode.l10n.t("Open"), { chatId });
  return item;
}
