// What a page does with a text of its conversation: copy, open, export, insert code, follow a link.
import * as vscode from "vscode";
import type { Log } from "../../shared/host/log.ts";
import type { EmptyList } from "../../explorer/sqlTemplates.ts";
import { commands } from "../../ids.ts";
import { numericColumns } from "../../shared/textTable.ts";
import type { ToHost } from "../messages.ts";
import { findLimitedSqlOf, mayHaveMoreRows } from "../serverRowLimit.ts";
import { readTable } from "../tables/observationTables.ts";
import type { Transcript } from "../transcript.ts";
import { exportTable } from "./exportTable.ts";
import { openLink } from "./openLink.ts";
import { wholeText, type WholeTexts } from "./textDocuments.ts";

const textMessages = [
  "copy",
  "copyText",
  "insertCode",
  "open",
  "export",
  "exportTable",
  "runWithoutLimit",
  "openLink",
] as const;

type TextMessage = Extract<ToHost, { type: (typeof textMessages)[number] }>;

export function isTextMessage(message: ToHost): message is TextMessage {
  return textMessages.some((type) => type === message.type);
}

export interface TextHandling {
  wholeTexts: WholeTexts;
  /** Inserts code into the editor that the user was in last. */
  insertCode: (code: string) => Promise<void>;
  log: Log;
}

/** Does what the message asks for. A failure is logged. */
export function handleText(
  message: TextMessage,
  transcript: Transcript,
  { wholeTexts, insertCode, log }: TextHandling,
): void {
  switch (message.type) {
    case "copy": {
      const found = wholeText(transcript, message.text);
      if (found) void vscode.env.clipboard.writeText(found.text);
      break;
    }
    case "copyText":
      void vscode.env.clipboard.writeText(message.text);
      break;
    case "insertCode":
      void insertCode(message.text);
      break;
    case "open":
      wholeTexts.open(transcript, message.text).catch((error: unknown) => {
        log.error("Could not open a text of a conversation", error);
      });
      break;
    case "export": {
      const found = wholeText(transcript, message.text);
      const table = found && readTable(found.text, found.kind === "answer");
      if (table) {
        const isLimited = findLimitedSqlOf(transcript, message.text) !== undefined;
        const hasMore = isLimited && mayHaveMoreRows(table.rows.length, true);
        void exportTable(table, { name: transcript.agent.name, log, hasMore });
      }
      break;
    }
    case "exportTable": {
      const { columns, rows } = message;
      const table = { columns, rows, numeric: numericColumns(columns, rows) };
      void exportTable(table, { name: transcript.agent.name, log });
      break;
    }
    case "runWithoutLimit": {
      const sql = findLimitedSqlOf(transcript, message.text);
      const { connectionId, name } = transcript.agent;
      if (sql === undefined || connectionId === "") break;
      const statement = { name, sql };
      void vscode.commands.executeCommand(commands.explorerShowStatement, {
        connectionId,
        statement,
      } satisfies EmptyList);
      break;
    }
    case "openLink":
      void openLink(message.href);
      break;
  }
}
