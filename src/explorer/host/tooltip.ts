// Tooltips of tree items. Text from servers is escaped, never parsed as Markdown.
import * as vscode from "vscode";
import { guardMarks } from "../../shared/guardMarks.ts";
import { withoutTraceback } from "../../mindsdb/http/httpResponse.ts";
import { wholeSeconds } from "../../mindsdb/wholeSeconds.ts";
import type { ModelVersion } from "../../mindsdb/listItems.ts";
import { newerInTraining } from "../../mindsdb/modelStatus.ts";
import { formatTime } from "../../shared/host/formatTime.ts";
import { oneLine, plainLabel } from "../../shared/oneLine.ts";
import type { ExplorerNode } from "../node.ts";
import { queryStates } from "./jobItem.ts";
import { explainFailure } from "./treeItem.ts";

/** Maximum length of an instruction or error, in characters. */
const maxTextLength = 300;

/** The tooltip of a node; undefined where it would add nothing. `unreachableSince` is its server's, in ms since 1970. */
export function buildTooltip(
  node: ExplorerNode,
  unreachableSince?: number,
): vscode.MarkdownString | undefined {
  switch (node.kind) {
    case "connection":
      return card(node.connection.name, [
        [vscode.l10n.t("Address"), node.connection.address],
        [vscode.l10n.t("Protection"), guardMarks(node.connection).join(", ")],
        [
          vscode.l10n.t("Unreachable since"),
          unreachableSince === undefined ? undefined : formatTime(unreachableSince),
        ],
      ]);
    case "knowledgeBase": {
      const { embeddingModel, contentColumns, metadataColumns, storage, createdAt } = node.item;
      return card(node.name, [
        [vscode.l10n.t("Embedding model"), embeddingModel],
        [vscode.l10n.t("Content columns"), contentColumns.join(", ") || "content"],
        [vscode.l10n.t("Metadata columns"), metadataColumns.join(", ")],
        [vscode.l10n.t("Stored in"), storage],
        [vscode.l10n.t("Created"), seconds(createdAt)],
      ]);
    }
    case "agent": {
      if (node.isByName) return card(node.name, []);
      const { model, tables, knowledgeBases, promptTemplate, createdAt } = node.item;
      return card(node.name, [
        [vscode.l10n.t("Model"), model ?? vscode.l10n.t("the server's default")],
        [vscode.l10n.t("Tables"), tables.join(", ")],
        [vscode.l10n.t("Knowledge bases"), knowledgeBases.join(", ")],
        [vscode.l10n.t("Instruction"), promptTemplate && oneLine(promptTemplate, maxTextLength)],
        [vscode.l10n.t("Created"), seconds(createdAt)],
      ]);
    }
    case "model":
      if (node.isByName) return card(node.name, []);
      return modelCard(node.name, node.item.current, newerInTraining(node.item));
    case "modelVersion":
      return modelCard(`${node.name}.${node.item.version}`, node.item);
    case "view":
      return card(node.item.name, [
        [vscode.l10n.t("Query"), oneLine(node.item.query, maxTextLength)],
      ]);
    case "job": {
      const { schedule, nextRunAt, isDue, lastRunAt, lastError, condition, query } = node.item;
      return card(node.name, [
        [vscode.l10n.t("Schedule"), schedule ?? vscode.l10n.t("once")],
        [isDue ? vscode.l10n.t("Was due") : vscode.l10n.t("Next run"), seconds(nextRunAt)],
        [vscode.l10n.t("Last run"), seconds(lastRunAt)],
        [vscode.l10n.t("Last error"), lastError && oneLine(lastError, maxTextLength)],
        [vscode.l10n.t("Condition"), condition && oneLine(condition, maxTextLength)],
        [vscode.l10n.t("Statements"), oneLine(query, maxTextLength)],
      ]);
    }
    case "trigger": {
      const { source, table, lastError, query } = node.item;
      return card(node.name, [
        [vscode.l10n.t("Table"), source === undefined ? table : `${source}.${table}`],
        [
          vscode.l10n.t("Last error"),
          lastError && oneLine(withoutTraceback(lastError), maxTextLength),
        ],
        [vscode.l10n.t("Statement"), oneLine(query, maxTextLength)],
      ]);
    }
    case "query": {
      const { sql, startedAt, updatedAt, processedRows, error } = node.item;
      return card(oneLine(sql, maxTextLength), [
        [vscode.l10n.t("Status"), queryStates[node.item.state]],
        [vscode.l10n.t("Started"), seconds(startedAt)],
        [vscode.l10n.t("Rows so far"), processedRows?.toLocaleString()],
        [vscode.l10n.t("Last progress"), seconds(updatedAt)],
        // A server that was killed shows its queries as running for ever.
        [
          vscode.l10n.t("If it seems stuck"),
          node.item.state === "running"
            ? vscode.l10n.t(
                "The server was probably restarted and is no longer running it. Cancel it, and run its statement again.",
              )
            : undefined,
        ],
        [vscode.l10n.t("Error"), error && oneLine(withoutTraceback(error), maxTextLength)],
      ]);
    }
    case "error":
      return card(explainFailure(node).message, []);
    case "unlisted":
      return card(
        vscode.l10n.t("This server can't list these items (HTTP {0}).", node.error.status ?? 0),
        [],
      );
    case "mlEngine":
      return card(node.name, [[vscode.l10n.t("Kind"), node.item.handler]]);
    case "dataSource":
      return card(node.name, [[vscode.l10n.t("Engine"), node.item.engine]]);
    case "table":
      return card(node.item.name, [
        [vscode.l10n.t("Data source"), node.project],
        [vscode.l10n.t("Schema"), node.item.schema],
      ]);
    case "column":
      return card(node.name, [[vscode.l10n.t("Type"), node.item.type]]);
    case "data":
    case "mlEngines":
    case "queries":
    case "schema":
    case "project":
    case "group":
    case "empty":
      return undefined;
  }
}

function modelCard(
  name: string,
  version: ModelVersion,
  newer?: ModelVersion,
): vscode.MarkdownString {
  const { trainingTime } = version;
  return card(name, [
    [vscode.l10n.t("Predicts"), version.target],
    [vscode.l10n.t("Status"), version.status],
    [vscode.l10n.t("Version"), String(version.version)],
    [
      vscode.l10n.t("In training"),
      newer && vscode.l10n.t("version {0} ({1})", newer.version, newer.status),
    ],
    [vscode.l10n.t("Engine"), version.engine],
    [vscode.l10n.t("Created"), seconds(version.createdAt)],
    [
      vscode.l10n.t("Training time"),
      trainingTime === undefined ? undefined : vscode.l10n.t("{0} s", trainingTime),
    ],
    [
      vscode.l10n.t("Error"),
      version.error && oneLine(withoutTraceback(version.error), maxTextLength),
    ],
  ]);
}

function card(
  title: string,
  facts: [name: string, value: string | undefined][],
): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown("**").appendText(plainLabel(title)).appendMarkdown("**");
  for (const [name, value] of facts) {
    if (value) text.appendMarkdown("\n\n").appendText(plainLabel(`${name}: ${value}`));
  }
  // appendText writes non-breaking spaces, which makes lines break within words.
  text.value = text.value.replaceAll("&nbsp;", " ");
  return text;
}

function seconds(time: string | undefined): string | undefined {
  return time === undefined ? undefined : wholeSeconds(time);
}
