import type * as vscode from "vscode";
import type { ServerAccess, ServerChanges } from "../../connections/connection.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import type { DescriptionCache } from "../../models/descriptionCache.ts";
import type { Log } from "../../shared/host/log.ts";

export interface PredictOptions {
  extensionUri: vscode.Uri;
  servers: ServerAccess & ServerChanges & { onDidChange: vscode.Event<string | undefined> };
  descriptions: DescriptionCache;
  /** Where results are stored. */
  folder: string;
  /** Distinguishes untitled notebooks of this workspace from those with the same name in others. */
  untitledScope: string;
  /** Stores the connection that was selected last. */
  state: vscode.Memento;
  log: Log;
  /** Asks the user for a model, of one connection if it is given. */
  pickModel: (title: string, connectionId?: string) => Promise<ModelRef | undefined>;
}
