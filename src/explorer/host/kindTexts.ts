// Labels and icons of the kinds of nodes.
import * as vscode from "vscode";
import type { GroupKind, NamedNode } from "../node.ts";

/** The kind of a node as text, for accessible labels and lists of mixed kinds. */
export function kindName(kind: NamedNode["kind"]): string {
  switch (kind) {
    case "connection":
      return vscode.l10n.t("connection");
    case "project":
      return vscode.l10n.t("project");
    case "knowledgeBase":
      return vscode.l10n.t("knowledge base");
    case "agent":
      return vscode.l10n.t("agent");
    case "model":
    case "modelVersion":
      return vscode.l10n.t("model");
    case "job":
      return vscode.l10n.t("job");
    case "dataSource":
      return vscode.l10n.t("data source");
    case "schema":
      return vscode.l10n.t("schema");
    case "table":
      return vscode.l10n.t("table");
    case "column":
      return vscode.l10n.t("column");
  }
}

/** The label of a group. */
export function groupLabel(group: GroupKind): string {
  switch (group) {
    case "knowledgeBases":
      return vscode.l10n.t("Knowledge Bases");
    case "agents":
      return vscode.l10n.t("Agents");
    case "models":
      return vscode.l10n.t("Models");
    case "jobs":
      return vscode.l10n.t("Jobs");
  }
}

/** What an empty group says. */
export function emptyLabel(group: GroupKind): string {
  switch (group) {
    case "knowledgeBases":
      return vscode.l10n.t("No knowledge bases yet");
    case "agents":
      return vscode.l10n.t("No agents yet");
    case "models":
      return vscode.l10n.t("No models yet");
    case "jobs":
      return vscode.l10n.t("No jobs yet");
  }
}

export const groupIcon: Record<GroupKind, string> = {
  knowledgeBases: "library",
  agents: "hubot",
  models: "graph-line",
  jobs: "watch",
};
