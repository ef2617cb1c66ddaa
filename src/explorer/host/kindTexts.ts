// Names and icons of the kinds of nodes, and the parts of a row in the tree.
import * as vscode from "vscode";
import type { GroupKind, NamedNode } from "../node.ts";

/** How a row of the tree looks. */
export interface RowAppearance {
  label: string;
  icon: vscode.ThemeIcon;
  /** Accessible label for rows whose parent does not make their kind obvious. */
  spokenKind?: string;
  description?: string | undefined;
  command?: vscode.Command;
}

/** Names as accessible labels and lists of mixed kinds show them. */
export const kinds: Record<NamedNode["kind"], { name: string; icon: string }> = {
  connection: { name: vscode.l10n.t("connection"), icon: "server-environment" },
  project: { name: vscode.l10n.t("project"), icon: "folder" },
  knowledgeBase: { name: vscode.l10n.t("knowledge base"), icon: "library" },
  agent: { name: vscode.l10n.t("agent"), icon: "hubot" },
  model: { name: vscode.l10n.t("model"), icon: "graph-line" },
  modelVersion: { name: vscode.l10n.t("model"), icon: "graph-line" },
  view: { name: vscode.l10n.t("view"), icon: "open-preview" },
  job: { name: vscode.l10n.t("job"), icon: "watch" },
  trigger: { name: vscode.l10n.t("trigger"), icon: "zap" },
  mlEngine: { name: vscode.l10n.t("ML engine"), icon: "circuit-board" },
  dataSource: { name: vscode.l10n.t("data source"), icon: "database" },
  schema: { name: vscode.l10n.t("schema"), icon: "table" },
  table: { name: vscode.l10n.t("table"), icon: "table" },
  column: { name: vscode.l10n.t("column"), icon: "table" },
};

/** `empty` is what an empty group says. */
export const groups: Record<GroupKind, { label: string; empty: string; icon: string }> = {
  knowledgeBases: {
    label: vscode.l10n.t("Knowledge Bases"),
    empty: vscode.l10n.t("No knowledge bases yet"),
    icon: kinds.knowledgeBase.icon,
  },
  agents: {
    label: vscode.l10n.t("Agents"),
    empty: vscode.l10n.t("No agents yet"),
    icon: kinds.agent.icon,
  },
  models: {
    label: vscode.l10n.t("Models"),
    empty: vscode.l10n.t("No models yet"),
    icon: kinds.model.icon,
  },
  views: {
    label: vscode.l10n.t("Views"),
    empty: vscode.l10n.t("No views yet"),
    icon: kinds.view.icon,
  },
  jobs: {
    label: vscode.l10n.t("Jobs"),
    empty: vscode.l10n.t("No jobs yet"),
    icon: kinds.job.icon,
  },
  triggers: {
    label: vscode.l10n.t("Triggers"),
    empty: vscode.l10n.t("No triggers yet"),
    icon: kinds.trigger.icon,
  },
};
