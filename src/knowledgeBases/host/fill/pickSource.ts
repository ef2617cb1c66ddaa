// Asks what a knowledge base is to be filled from.
import * as vscode from "vscode";
import type { TableRef } from "../../../mindsdb/references.ts";
import { kindOfSql } from "../../../mindsdb/sql/statementKind.ts";
import { detectRowsFormat, rowsFileEndings, rowsFileGlob } from "../../../predict/rows/readRows.ts";
import { askText } from "../../../shared/host/quickInput.ts";
import type { SourceRef } from "../../fill/sourceRef.ts";
import { pickItem } from "../../../shared/host/pickItem.ts";

const maxOffered = 200;

export type PickTable = (title: string, connectionId: string) => Promise<TableRef | undefined>;

interface SourceItem extends vscode.QuickPickItem {
  ask?: () => Promise<SourceRef | undefined>;
}

/** Asks for a source; undefined when the user closes the question. */
export async function pickSource(
  title: string,
  connectionId: string,
  pickTable: PickTable,
): Promise<SourceRef | undefined> {
  const found = vscode.workspace.isTrusted
    ? await vscode.workspace.findFiles(
        rowsFileGlob,
        "{**/node_modules/**,**/.vscode/**}",
        maxOffered,
      )
    : [];
  const files = found
    .filter((uri) => detectRowsFormat(uri.path))
    .map((uri): SourceItem => {
      const source: SourceRef = { kind: "rowsFile", uri: uri.toString() };
      return { label: vscode.workspace.asRelativePath(uri), ask: () => Promise.resolve(source) };
    })
    .sort((a, b) => (a.label < b.label ? -1 : 1));
  const separator: SourceItem = {
    label: vscode.l10n.t("Files of rows in the workspace"),
    kind: vscode.QuickPickItemKind.Separator,
  };
  const items: SourceItem[] = [
    { label: vscode.l10n.t("Text Files…"), ask: () => askForFiles(title) },
    { label: vscode.l10n.t("Folder of Text Files…"), ask: () => askForFolder(title) },
    {
      label: vscode.l10n.t("Table on the Server…"),
      ask: () => askForTable(title, connectionId, pickTable),
    },
    { label: vscode.l10n.t("SELECT on the Server…"), ask: () => askForSelect(title) },
    { label: vscode.l10n.t("File of Rows…"), ask: () => askForRowsFile(title) },
    ...(files.length > 0 ? [separator, ...files] : []),
  ];
  const placeHolder = vscode.l10n.t("Where is the content?");
  return (await pickItem(items, { title, placeHolder }))?.ask?.();
}

/** The source of files that were dropped: one file of rows, one folder, or text files. */
export async function sourceOfFiles(uris: readonly vscode.Uri[]): Promise<SourceRef | undefined> {
  const [first] = uris;
  if (first && uris.length === 1) {
    const uri = first.toString();
    const { type } = await vscode.workspace.fs.stat(first);
    if (type & vscode.FileType.Directory) return { kind: "folder", uri };
    if (detectRowsFormat(first.path)) return { kind: "rowsFile", uri };
  }
  return textFiles(uris);
}

function textFiles(uris: readonly vscode.Uri[]): SourceRef | undefined {
  return uris.length === 0 ? undefined : { kind: "textFiles", uris: uris.map(String).sort() };
}

async function askForRowsFile(title: string): Promise<SourceRef | undefined> {
  const filters = { [vscode.l10n.t("Rows")]: [...rowsFileEndings] };
  const [uri] = (await vscode.window.showOpenDialog({ title, filters })) ?? [];
  return uri && { kind: "rowsFile", uri: uri.toString() };
}

async function askForFiles(title: string): Promise<SourceRef | undefined> {
  return textFiles((await vscode.window.showOpenDialog({ title, canSelectMany: true })) ?? []);
}

async function askForFolder(title: string): Promise<SourceRef | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title,
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
    })) ?? [];
  return uri && { kind: "folder", uri: uri.toString() };
}

async function askForTable(
  title: string,
  connectionId: string,
  pickTable: PickTable,
): Promise<SourceRef | undefined> {
  const table = await pickTable(title, connectionId);
  return table && { kind: "table", project: table.project, name: table.name };
}

async function askForSelect(title: string): Promise<SourceRef | undefined> {
  const typed = await askText({
    title,
    prompt: vscode.l10n.t("A SELECT. Each row of the result becomes a document."),
    placeholder: "SELECT id, text FROM files.notes",
    accept: (value) => {
      if (value.trim() === "") return Promise.resolve(vscode.l10n.t("Enter a SELECT statement."));
      const problem = vscode.l10n.t("Only a SELECT that can't change anything is run.");
      return Promise.resolve(kindOfSql(value) === "write" ? problem : undefined);
    },
  });
  if (typeof typed !== "string") return undefined;
  return { kind: "select", query: typed.trim() };
}
