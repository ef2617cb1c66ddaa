// A page's calls about a text of its conversation: copy, open, export, insert code, follow a link.
import * as vscode from "vscode";
import { executeCommand } from "../../shared/host/commands.ts";
import type { Log } from "../../shared/host/log.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import type { EmptyList } from "../../explorer/sqlTemplates.ts";
import { commands } from "../../ids.ts";
import { numericColumns } from "../../shared/textTable.ts";
import type { TextCalls } from "../chatPage.ts";
import { findLimitedSqlOf, mayHaveMoreRows } from "../serverRowLimit.ts";
import { readTable } from "../tables/observationTables.ts";
import type { Transcript } from "../transcript.ts";
import { findViewQuery } from "../viewQuery.ts";
import { exportTable } from "./exportTable.ts";
import { openLink } from "./openLink.ts";
import { wholeText, type WholeTexts } from "./textDocuments.ts";

export interface TextHandling {
  wholeTexts: WholeTexts;
  /** Inserts code into the editor that the user was in last. */
  insertCode: (code: string) => Promise<void>;
  log: Log;
}

/** Returns the handlers of what a page does with the texts of its runs. */
export function createTextHandlers(
  getTranscript: () => Transcript,
  { wholeTexts, insertCode, log }: TextHandling,
): Handlers<TextCalls> {
  return {
    copy: (ref) => {
      const found = wholeText(getTranscript(), ref);
      if (found) void vscode.env.clipboard.writeText(found.text);
    },
    copyText: (text) => void vscode.env.clipboard.writeText(text),
    insertCode: (code) => void insertCode(code),
    open: (ref) => {
      wholeTexts.open(getTranscript(), ref).catch((error: unknown) => {
        log.error("Could not open a text of a conversation", error);
      });
    },
    createView: (ref) => {
      const transcript = getTranscript();
      const query = findViewQuery(wholeText(transcript, ref));
      const { connectionId, project } = transcript.agent;
      if (query === undefined || connectionId === "") return;
      void executeCommand(commands.viewCreate, { connectionId, project, query });
    },
    export: (ref) => {
      const transcript = getTranscript();
      const found = wholeText(transcript, ref);
      const table = found && readTable(found.text, found.kind === "answer");
      if (!table) return;
      const isLimited = findLimitedSqlOf(transcript, ref) !== undefined;
      const hasMore = isLimited && mayHaveMoreRows(table.rows.length, true);
      void exportTable(table, { name: transcript.agent.name, log, hasMore });
    },
    exportTable: (columns, rows) => {
      const table = { columns, rows, numeric: numericColumns(columns, rows) };
      void exportTable(table, { name: getTranscript().agent.name, log });
    },
    runWithoutLimit: (ref) => {
      const transcript = getTranscript();
      const sql = findLimitedSqlOf(transcript, ref);
      const { connectionId, name } = transcript.agent;
      if (sql === undefined || connectionId === "") return;
      const statement = { name, sql };
      void executeCommand(commands.explorerShowStatement, {
        connectionId,
        statement,
      } satisfies EmptyList);
    },
    openLink: (href) => void openLink(href),
  };
}
