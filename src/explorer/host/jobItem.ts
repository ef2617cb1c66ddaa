// How jobs and running queries look in the tree.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { wholeSeconds } from "../../mindsdb/jobs.ts";
import { oneLine } from "../../shared/oneLine.ts";
import type { JobNode, QueriesNode, QueryNode } from "../node.ts";
import type { EmptyList } from "../sqlTemplates.ts";
import type { Look } from "./look.ts";

/** Characters of a statement that a row shows. */
const maxStatementLength = 60;

const failedIcon = new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));

/** How the row of a job or of a running query looks. */
export function jobLook(node: JobNode | QueriesNode | QueryNode, count: number | undefined): Look {
  switch (node.kind) {
    case "job":
      return describeJob(node);
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
export function queryState({ item }: QueryNode): string {
  switch (item.state) {
    case "queued":
      return vscode.l10n.t("queued");
    case "running":
      return vscode.l10n.t("running");
    case "failed":
      return vscode.l10n.t("failed");
  }
}

function describeProgress(node: QueryNode): string {
  const { processedRows } = node.item;
  if (processedRows === undefined) return queryState(node);
  const rows = vscode.l10n.t("{0} rows so far", processedRows.toLocaleString());
  return node.item.state === "running" ? rows : `${queryState(node)} · ${rows}`;
}

function describeJob({ connectionId, project, name, item }: JobNode): Look {
  const { lastError, schedule, nextRunAt } = item;
  const parts = [
    ...(lastError === undefined ? [] : [vscode.l10n.t("last run failed")]),
    schedule ?? vscode.l10n.t("once"),
    ...(nextRunAt === undefined ? [] : [vscode.l10n.t("next {0}", wholeSeconds(nextRunAt))]),
  ];
  const list: EmptyList = { connectionId, inProject: { project, group: "jobs" }, job: item };
  return {
    label: name,
    icon: lastError === undefined ? new vscode.ThemeIcon("watch") : failedIcon,
    description: parts.join(" · "),
    command: {
      command: commands.explorerShowStatement,
      title: vscode.l10n.t("Show Statement"),
      arguments: [list],
    },
  };
}
