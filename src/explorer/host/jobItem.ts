// How jobs, triggers, ML engines and running queries look in the tree.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { wholeSeconds } from "../../mindsdb/wholeSeconds.ts";
import { oneLine } from "../../shared/oneLine.ts";
import { bindCommand } from "../../shared/host/commands.ts";
import {
  itemRef,
  type JobNode,
  type MlEngineNode,
  type MlEnginesNode,
  type QueriesNode,
  type QueryNode,
  type TriggerNode,
} from "../node.ts";
import { kinds, type RowAppearance } from "./kindTexts.ts";

/** Characters of a statement that a row shows. */
const maxStatementLength = 60;

// Cached: a server can have thousands of engines.
const engineIcon = new vscode.ThemeIcon(kinds.mlEngine.icon);
const failedIcon = new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));

/** How the row of a job, a trigger, an ML engine or a running query looks. */
export function jobAppearance(
  node: JobNode | TriggerNode | MlEnginesNode | MlEngineNode | QueriesNode | QueryNode,
  count: number | undefined,
): RowAppearance {
  switch (node.kind) {
    case "job":
      return describeJob(node);
    case "trigger":
      return describeTrigger(node);
    case "mlEngines":
      return {
        label: vscode.l10n.t("ML Engines"),
        icon: engineIcon,
        description: count?.toLocaleString(),
      };
    case "mlEngine": {
      const { handler } = node.item;
      return {
        label: node.name,
        icon: engineIcon,
        spokenKind: kinds.mlEngine.name,
        description: handler === node.name ? undefined : handler,
        command: bindCommand(commands.mlEngineShow, vscode.l10n.t("Show"), {
          connectionId: node.connectionId,
          name: node.name,
        }),
      };
    }
    case "queries":
      return {
        label: vscode.l10n.t("Running Queries"),
        icon: new vscode.ThemeIcon("pulse"),
        description: count?.toLocaleString(),
      };
    case "query": {
      const { id, sql, state } = node.item;
      // In a narrow side bar the rows so far must have room.
      return {
        label: vscode.l10n.t("Query {0}", id),
        icon: state === "failed" ? failedIcon : new vscode.ThemeIcon("sync"),
        spokenKind: vscode.l10n.t("query"),
        description: `${describeProgress(node)} · ${oneLine(sql, maxStatementLength)}`,
      };
    }
  }
}

/** A query's state in words. */
export const queryStates: Record<QueryNode["item"]["state"], string> = {
  queued: vscode.l10n.t("queued"),
  running: vscode.l10n.t("running"),
  failed: vscode.l10n.t("failed"),
};

function describeProgress({ item: { processedRows, state } }: QueryNode): string {
  if (processedRows === undefined) return queryStates[state];
  const rows =
    processedRows === 1
      ? vscode.l10n.t("1 row so far")
      : vscode.l10n.t("{0} rows so far", processedRows.toLocaleString());
  return state === "running" ? rows : `${queryStates[state]} · ${rows}`;
}

function describeNextRun({ nextRunAt, isDue }: JobNode["item"]): string {
  if (nextRunAt === undefined) return "";
  const time = wholeSeconds(nextRunAt);
  return isDue ? vscode.l10n.t("was due {0}", time) : vscode.l10n.t("next {0}", time);
}

function describeJob(node: JobNode): RowAppearance {
  const { name, item } = node;
  const { lastError, schedule } = item;
  const parts = [
    lastError === undefined ? "" : vscode.l10n.t("last run failed"),
    schedule ?? vscode.l10n.t("once"),
    describeNextRun(item),
  ];
  return {
    label: name,
    icon: lastError === undefined ? new vscode.ThemeIcon("watch") : failedIcon,
    description: parts.filter(Boolean).join(" · "),
    command: bindCommand(commands.jobShow, vscode.l10n.t("Show"), itemRef(node)),
  };
}

/** The server keeps an error after runs that worked, so the row shows no failure but that there was one. */
function describeTrigger(node: TriggerNode): RowAppearance {
  const { name, item } = node;
  const { lastError, source, table } = item;
  const watched =
    source === undefined ? vscode.l10n.t("data source disconnected") : `${source}.${table}`;
  const hasError = lastError !== undefined;
  return {
    label: name,
    icon: hasError || source === undefined ? failedIcon : new vscode.ThemeIcon("zap"),
    description: hasError ? `${vscode.l10n.t("has an error")} · ${watched}` : watched,
    command: bindCommand(commands.triggerShow, vscode.l10n.t("Show"), itemRef(node)),
  };
}
