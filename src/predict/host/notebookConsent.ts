import * as vscode from "vscode";
import type { Connection, ServerAccess } from "../../shared/connection.ts";
import { sqlLanguage } from "../../ids.ts";
import { formatTable, type RowSource } from "../../mindsdb/rowPages.ts";
import { redactStatement } from "../../mindsdb/redact/redactStatement.ts";
import { asksAgent } from "../../mindsdb/sql/asksAgent.ts";
import { kindOfSql } from "../../mindsdb/sql/statementKind.ts";
import {
  allRowsOf,
  createStatementPrompt,
  deletedName,
  type StatementPrompt,
} from "../notebook/statementConsent.ts";
import type { PlannedTable } from "../run/intoTableRun.ts";
import type { Paragraphs } from "../../shared/dialogText.ts";
import { presentStatement } from "../../shared/host/presentStatement.ts";
import { showWarning } from "../../shared/host/notifications.ts";
import { askConsent } from "../../shared/host/consent.ts";
import type { OwnTexts } from "./ownTexts.ts";

/** Where a statement is written. */
interface StatementPlace {
  kind: "notebook" | "file";
  /** Consent is remembered for this notebook or file. */
  uri: vscode.Uri;
  /** The statements that the consent may include. */
  texts: string[];
  /** A statement for the user to see, without the secrets that were typed for it. */
  hideSecrets?: (statement: string) => string;
  /** The project or data source of names without one: the run must use the same. */
  database: string | undefined;
  /** Whether the user wrote the statement in this window. */
  isOwn: () => boolean;
}

/** Stands for everything that the user writes in a notebook. */
const ownStatements = "*";

/**
 * Asks the user before a notebook changes a server or reads files outside of the workspace. Remembers the exact
 * statements and files until the window closes.
 */
export class NotebookConsent implements vscode.Disposable {
  readonly #servers: ServerAccess;
  readonly #ownTexts: Pick<OwnTexts, "isOwn">;
  /** By notebook or file. */
  readonly #agreed = new Map<string, Map<string, Set<string>>>();
  readonly #closed: vscode.Disposable;

  constructor(servers: ServerAccess, ownTexts: Pick<OwnTexts, "isOwn">) {
    this.#servers = servers;
    this.#ownTexts = ownTexts;
    // The next untitled notebook or file may have the same name.
    const forget = ({ uri, isUntitled }: vscode.NotebookDocument | vscode.TextDocument): void => {
      if (isUntitled) this.#agreed.delete(uri.toString());
    };
    this.#closed = vscode.Disposable.from(
      vscode.workspace.onDidCloseNotebookDocument(forget),
      vscode.workspace.onDidCloseTextDocument(forget),
    );
  }

  dispose(): void {
    this.#closed.dispose();
  }

  /** As `allowStatement`, for a cell's statement. `database`: the project or data source of names without one. */
  allowCell(
    { notebook, document }: vscode.NotebookCell,
    { text, database }: { text: string; database: string | undefined },
    connection: Connection,
    signal: AbortSignal,
  ): Promise<"yes" | "no" | "readOnly"> {
    const place: StatementPlace = {
      kind: "notebook",
      uri: notebook.uri,
      texts: notebook
        .getCells()
        .filter(({ document }) => document.languageId === sqlLanguage)
        .map(({ document }) => document.getText()),
      database,
      isOwn: () => this.#ownTexts.isOwn(document),
    };
    return this.allowStatement(place, text, connection, signal);
  }

  /**
   * Whether a statement may run: it only reads, or the user agrees. "readOnly" if the connection sends no changes. Consent
   * includes the other statements of its place that the dialog lists; changed texts need a new one. Where each change is to
   * be confirmed, consent is for this statement and this time. On a connection without any protection, the user may agree
   * to everything but deletions that they write in this notebook themselves.
   */
  async allowStatement(
    place: StatementPlace,
    text: string,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<"yes" | "no" | "readOnly"> {
    const { uri, database } = place;
    const hideSecrets = (statement: string): string =>
      redactStatement(place.hideSecrets?.(statement) ?? statement);
    // Names without a project mean others in another one.
    const agreed = this.#agreedFor("statements", uri, connection, database);
    const { protection, isProduction } = connection;
    const isEachAsked = isProduction && protection === "none";
    const prompt = createStatementPrompt(
      text,
      place.texts,
      agreed,
      isEachAsked ? "confirm" : protection,
      { isPaid: await this.#isPaid(text, connection, { signal, database }), hideSecrets },
    );
    if (!prompt) return "yes";
    if (prompt.kind === "write" && protection === "readOnly") return "readOnly";
    const deletes = deletedName(text);
    const isOpen = protection === "none" && !isProduction;
    const isOwn = isOpen && deletes === undefined && place.isOwn();
    const ownAgreed = this.#agreedFor("own statements", uri, connection);
    if (isOwn && prompt.kind === "write" && ownAgreed.size > 0) return "yes";
    const shown = await presentStatement(prompt.statement);
    if (shown === undefined) return "no";
    const button = vscode.l10n.t("Run");
    const isAllowed =
      prompt.kind === "write"
        ? await this.#servers.allowWrite(connection.id, {
            what: vscode.l10n.t("Run a statement that may change “{0}”", connection.name),
            button,
            detail: statementDetail(place, prompt, shown, allRowsOf(text)),
            isAlwaysAsked: true,
            deletes,
            otherButton: isOwn
              ? {
                  title: vscode.l10n.t("Run and Don't Ask Again in This Notebook"),
                  onPress: () => ownAgreed.add(ownStatements),
                }
              : undefined,
          })
        : await ask(
            vscode.l10n.t("Run a statement that may cost money on “{0}”?", connection.name),
            [
              ...statementDetail(place, prompt, shown),
              vscode.l10n.t("It runs on {0}.", connection.address),
            ],
            button,
          );
    if (isAllowed) for (const one of prompt.texts) agreed.add(one);
    return isAllowed ? "yes" : "no";
  }

  /** Whether a statement that changes nothing asks an agent; only the server knows what is one. */
  async #isPaid(
    text: string,
    { id }: Connection,
    options: { signal: AbortSignal; database: string | undefined },
  ): Promise<boolean> {
    if (kindOfSql(text) !== "read") return false;
    // Without a server the run itself fails, and its result says what helps.
    const client = await this.#servers.client(id).catch(() => undefined);
    return client !== undefined && asksAgent(client, text, options);
  }

  /** Whether the server may write predictions into a table; asks each time, and as for a deletion if the table exists. */
  async allowTable(
    { table, replaces, count, model, statement }: PlannedTable,
    { id, name }: Connection,
  ): Promise<boolean> {
    const rows =
      count === 1
        ? vscode.l10n.t("1 row is predicted by {0} on the server.", model)
        : vscode.l10n.t(
            "{0} rows are predicted by {1} on the server.",
            count.toLocaleString(vscode.env.language),
            model,
          );
    const lost = vscode.l10n.t("The table exists. Its current contents will be lost.");
    const shown = await presentStatement(statement);
    if (shown === undefined) return false;
    return this.#servers.allowWrite(id, {
      what: replaces
        ? vscode.l10n.t("Replace the table {0} on “{1}” with predictions", table, name)
        : vscode.l10n.t("Write predictions into the new table {0} on “{1}”", table, name),
      button: replaces ? vscode.l10n.t("Replace") : vscode.l10n.t("Write"),
      detail: [...(replaces ? [lost] : []), rows, shown],
      isAlwaysAsked: true,
      ...(replaces ? { deletes: table } : {}),
    });
  }

  /** Whether a recipe's rows may be read although that may cost money; asks the user once for each source. */
  async allowRows(
    { uri: notebook }: vscode.NotebookDocument,
    source: RowSource,
    connection: Connection,
  ): Promise<boolean> {
    const statement = "select" in source ? source.select : `SELECT * FROM ${formatTable(source)}`;
    const agreed = this.#agreedFor("rows", notebook, connection);
    if (agreed.has(statement)) return true;
    const shown = await presentStatement(statement);
    if (shown === undefined) return false;
    const again = vscode.l10n.t("The SELECT runs again for each page of rows.");
    const isAllowed = await ask(
      vscode.l10n.t("Read rows that may cost money from “{0}”?", connection.name),
      [shown, `${again} ${vscode.l10n.t("It runs on {0}.", connection.address)}`],
      vscode.l10n.t("Read Rows"),
    );
    if (isAllowed && !connection.isProduction) agreed.add(statement);
    return isAllowed;
  }

  /**
   * Whether a recipe's options may go to the engines of its models; asks once for the same options. With some the server
   * sends more than rows elsewhere: with `api_base`, the key of an engine.
   */
  async allowParams(
    { uri: notebook }: vscode.NotebookDocument,
    { models, params }: { models: string; params: string },
    connection: Connection,
  ): Promise<boolean> {
    const agreed = this.#agreedFor("params", notebook, connection);
    const key = JSON.stringify([models, params]);
    const { protection, isProduction } = connection;
    if (protection === "none" && !isProduction && agreed.has(key)) return true;
    const isAllowed = await this.#servers.allowWrite(connection.id, {
      what: vscode.l10n.t("Send the cell's options to the engine of {0}", models),
      button: vscode.l10n.t("Send Options"),
      detail: [
        params,
        vscode.l10n.t(
          "Some options make the server send rows and its keys to other addresses. Send only options you trust.",
        ),
      ],
      isAlwaysAsked: true,
    });
    if (isAllowed) agreed.add(key);
    return isAllowed;
  }

  /** Whether rows may be read from a file outside of the workspace folders; asks the user once. */
  async allowFile(
    { uri: notebook }: vscode.NotebookDocument,
    file: vscode.Uri,
    connection: Connection,
  ): Promise<boolean> {
    const agreed = this.#agreedFor("files", notebook, connection);
    const key = file.toString();
    if (agreed.has(key)) return true;
    const detail = [
      file.scheme === "file" ? file.fsPath : file.toString(true),
      vscode.l10n.t(
        "The notebook refers to this file. Its rows are sent to {0}.",
        connection.address,
      ),
    ];
    const message = vscode.l10n.t(
      "Send rows from a file outside the workspace to “{0}”?",
      connection.name,
    );
    const isAllowed = await ask(message, detail, vscode.l10n.t("Send Rows"));
    if (isAllowed) agreed.add(key);
    return isAllowed;
  }

  #agreedFor(
    kind: string,
    notebook: vscode.Uri,
    { id, address }: Connection,
    database?: string,
  ): Set<string> {
    const ofNotebook = this.#agreed.get(notebook.toString()) ?? new Map<string, Set<string>>();
    this.#agreed.set(notebook.toString(), ofNotebook);
    const key = JSON.stringify([kind, id, address, database]);
    const agreed = ofNotebook.get(key) ?? new Set();
    ofNotebook.set(key, agreed);
    return agreed;
  }
}

/** Whether the workspace is trusted, so that cells or statements may run; shows a warning if not. */
export function checkTrust(
  message = vscode.l10n.t("Cells do not run in an untrusted workspace."),
): boolean {
  if (vscode.workspace.isTrusted) return true;
  void explainTrust(message);
  return false;
}

async function explainTrust(message: string): Promise<void> {
  const manage = vscode.l10n.t("Manage Workspace Trust");
  if ((await showWarning(message, manage)) === manage) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
}

async function ask(message: string, detail: Paragraphs, button: string): Promise<boolean> {
  return (await askConsent(message, detail, button)) === button;
}

function statementDetail(
  { kind }: StatementPlace,
  prompt: StatementPrompt,
  shown: string,
  allRows?: string,
): (string | string[])[] {
  const { others, notIncluded } = prompt;
  const paragraphs: (string | string[])[] = [shown];
  if (allRows !== undefined) {
    paragraphs.push(vscode.l10n.t("It has no WHERE, so it concerns all rows of {0}.", allRows));
  }
  if (others.length > 0) {
    paragraphs.push([
      kind === "notebook"
        ? vscode.l10n.t("Choosing Run also allows these statements in the notebook:")
        : vscode.l10n.t("Choosing Run also allows these statements in the file:"),
      ...others,
    ]);
  }
  if (notIncluded === 1) {
    paragraphs.push(
      vscode.l10n.t("1 more statement can change data. You'll be asked before it runs."),
    );
  } else if (notIncluded > 1) {
    paragraphs.push(
      vscode.l10n.t(
        "{0} more statements can change data. You'll be asked before they run.",
        notIncluded,
      ),
    );
  }
  return paragraphs;
}
