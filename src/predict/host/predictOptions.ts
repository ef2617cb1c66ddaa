import type * as vscode from "vscode";
import type { ServerAccess, ServerChanges } from "../../shared/connection.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import type { DescriptionCache } from "../../models/descriptionCache.ts";
import type { Log } from "../../shared/host/log.ts";
import type { NotebookPlace } from "./storedOutputs.ts";

export interface PredictOptions extends NotebookPlace {
  extensionUri: vscode.Uri;
  servers: ServerAccess & ServerChanges & { onDidChange: vscode.Event<string | undefined> };
  descriptions: DescriptionCache;
  /** Stores the connection that was selected last. */
  state: vscode.Memento;
  log: Log;
  /** Asks the user for a model, of one connection if it is given. */
  pickModel: (title: string, connectionId?: string) => Promise<ModelRef | undefined>;
}

/** The options of SQL files. */
export type SqlFilesOptions = Pick<
  PredictOptions,
  "extensionUri" | "servers" | "state" | "log" | "descriptions"
> & {
  /** The statements that were run are stored in it. */
  historyFolder: string;
  /** Opens the page of what a name in a cell refers to. Returns false if there is none. */
  cells: {
    /** The connection of a cell's notebook, if it has one. */
    connectionOf: (document: vscode.TextDocument) => string | undefined;
    openPage: (document: vscode.TextDocument, position: vscode.Position) => Promise<boolean>;
  };
  /** The results of statements are stored in it, also those of other windows. */
  resultsFolder: string;
  /** Identifies the workspace whose results are there again after a reload; undefined without a folder. */
  workspace: string | undefined;
};
