// Which connection and which default project a SQL file runs with. Only the user chooses: nothing is read from the file.
import fs from "node:fs";
import * as vscode from "vscode";
import type { Connection } from "../../shared/connection.ts";
import { listDatabases } from "../../mindsdb/dataSources.ts";
import { addressWithMarks } from "../../shared/guardMarks.ts";
import { pickConnection } from "../../shared/host/newItemTarget.ts";
import { pickItem } from "../../shared/host/pickItem.ts";
import type { SqlFilesOptions } from "./predictOptions.ts";
import { isSqlFile } from "./sqlDocuments.ts";
import { watchSavedAs } from "./watchSavedAs.ts";

const placesKey = "sql.places";
/** Files whose places are remembered. */
const maxPlaces = 500;

/** The stored connection and database of a file. */
interface StoredPlace {
  connectionId: string;
  /** The project or data source of names without one. */
  database?: string | undefined;
  /** By which the file is found again after another program has renamed it. */
  fileId?: string | undefined;
}

export interface FilePlace {
  connection: Connection;
  database: string | undefined;
}

type PlacesOptions = Pick<SqlFilesOptions, "servers" | "state" | "log">;

export class SqlFilePlaces implements vscode.Disposable {
  readonly #options: PlacesOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #moves: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(options: PlacesOptions) {
    this.#options = options;
    const { workspace } = vscode;
    this.#moves = vscode.Disposable.from(
      workspace.onDidRenameFiles(({ files }) => void this.#rename(files)),
      // Before the next one, which forgets the place.
      watchSavedAs(isSqlFile, (from, to) => this.#savedAs(from, to)),
      workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
        if (isUntitled) queueMicrotask(() => this.#forget(uri));
      }),
      workspace.onDidOpenTextDocument((document) => void this.#opened(document)),
    );
    for (const document of workspace.textDocuments) void this.#opened(document);
  }

  /** The place that was chosen for a file; undefined if there is none, or its connection was removed. */
  find(uri: vscode.Uri): FilePlace | undefined {
    const stored = this.#stored[uri.toString()];
    const connection = stored && this.#options.servers.find(stored.connectionId);
    return connection && { connection, database: stored.database };
  }

  /** The place of a file; the user is asked if it has none. */
  async ensure(uri: vscode.Uri): Promise<FilePlace | undefined> {
    if (!this.find(uri)) await this.#findRenamed(uri);
    const found = this.find(uri);
    if (found) return found;
    const connection = await pickConnection(this.#options.servers, undefined, {
      title: vscode.l10n.t("Run SQL"),
    });
    if (!connection) return undefined;
    await this.set(uri, { connectionId: connection.id });
    return { connection, database: undefined };
  }

  /** Asks the user for the connection of a file. Another one begins with its server's default project. */
  async chooseConnection(uri: vscode.Uri): Promise<void> {
    const { servers } = this.#options;
    const title = vscode.l10n.t("Connection of the SQL File");
    const current = this.find(uri)?.connection.id;
    const connections = servers.list();
    const isAsked = connections.length > 1 || current !== undefined;
    const connection = isAsked
      ? (
          await pickItem(
            connections.map((one) => ({
              label: one.name,
              description: addressWithMarks(one),
              picked: one.id === current,
              connection: one,
            })),
            { title, placeHolder: vscode.l10n.t("Which connection?") },
          )
        )?.connection
      : await pickConnection(servers, undefined, { title });
    if (connection && connection.id !== current) {
      await this.set(uri, { connectionId: connection.id });
    }
  }

  /** Asks the user for the default project of a file, and first for its connection if it has none. */
  async chooseProject(uri: vscode.Uri): Promise<void> {
    if (!this.find(uri)) await this.chooseConnection(uri);
    const connection = this.find(uri)?.connection;
    if (!connection) return;
    const chosen = await pickItem(this.#listDatabases(connection), {
      title: vscode.l10n.t("Default Project of the SQL File"),
      placeHolder: vscode.l10n.t("Select the default project or data source"),
    });
    if (chosen) await this.set(uri, { connectionId: connection.id, database: chosen.database });
  }

  async set(uri: vscode.Uri, { connectionId, database }: StoredPlace): Promise<void> {
    const key = uri.toString();
    const place: StoredPlace = { connectionId, database, fileId: readFileId(uri) };
    const others = Object.entries(this.#stored).filter(([one]) => one !== key);
    const entries = [...others, [key, place] as const];
    await this.#options.state.update(placesKey, Object.fromEntries(entries.slice(-maxPlaces)));
    this.#changed.fire();
  }

  async #opened(document: vscode.TextDocument): Promise<void> {
    if (!isSqlFile(document)) return;
    const { uri } = document;
    const key = uri.toString();
    const { [key]: place, ...others } = this.#stored;
    if (!place) return this.#findRenamed(uri);
    // Programs replace files, and earlier versions have stored none.
    const fileId = readFileId(uri);
    if (!fileId || place.fileId === fileId) return;
    await this.#options.state.update(placesKey, { ...others, [key]: { ...place, fileId } });
  }

  /** A file that another program has renamed or moved has the place that it had before. */
  async #findRenamed(newUri: vscode.Uri): Promise<void> {
    const fileId = readFileId(newUri);
    if (!fileId || this.#stored[newUri.toString()]) return;
    const [former] = Object.entries(this.#stored).find(([, one]) => one.fileId === fileId) ?? [];
    if (former === undefined) return;
    const oldUri = vscode.Uri.parse(former);
    // A hard link is another file.
    if (readFileId(oldUri) === fileId) return;
    await this.#rename([{ oldUri, newUri }]);
    this.#changed.fire();
  }

  /** A file that is saved for the first time, or under another name, has the place that it had before. */
  #savedAs(from: vscode.Uri, to: vscode.Uri): void {
    const place = this.#stored[from.toString()];
    // Only an untitled file replaces a choice that the user has made for the other file.
    if (place && (from.scheme === "untitled" || !this.#stored[to.toString()])) {
      void this.set(to, place);
    }
  }

  /** The next untitled file may have the same name. One whose language has changed is open again. */
  #forget(uri: vscode.Uri): void {
    const key = uri.toString();
    const { [key]: place, ...others } = this.#stored;
    if (!place || vscode.workspace.textDocuments.some((one) => one.uri.toString() === key)) return;
    void this.#options.state.update(placesKey, others);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#moves.dispose();
  }

  get #stored(): Record<string, StoredPlace> {
    return this.#options.state.get<Record<string, StoredPlace>>(placesKey, {});
  }

  async #listDatabases(
    connection: Connection,
  ): Promise<(vscode.QuickPickItem & { database: string | undefined })[]> {
    const { servers, log } = this.#options;
    const list = await servers
      .client(connection.id)
      .then((client) => listDatabases(client))
      .catch((error: unknown) => {
        log.error("The projects of a SQL file's connection could not be listed", error);
        return [];
      });
    return [
      { label: vscode.l10n.t("The server's default"), database: undefined },
      ...list.map(({ name, kind }) => ({
        label: name,
        description: kind === "project" ? vscode.l10n.t("project") : vscode.l10n.t("data source"),
        database: name,
      })),
    ];
  }

  /** Files and folders keep their places when VS Code renames them. */
  async #rename(files: readonly { oldUri: vscode.Uri; newUri: vscode.Uri }[]): Promise<void> {
    const moved = Object.entries(this.#stored).map(([uri, place]) => {
      for (const { oldUri, newUri } of files) {
        const old = oldUri.toString();
        if (uri === old || uri.startsWith(`${old}/`)) {
          return [newUri.toString() + uri.slice(old.length), place] as const;
        }
      }
      return [uri, place] as const;
    });
    await this.#options.state.update(placesKey, Object.fromEntries(moved));
  }
}

/** Identifies a file on this machine whatever its name is: inodes alone are used again. Undefined for other documents. */
function readFileId({ scheme, fsPath }: vscode.Uri): string | undefined {
  if (scheme !== "file") return undefined;
  try {
    const { dev, ino, birthtimeNs } = fs.statSync(fsPath, { bigint: true });
    return [dev, ino, birthtimeNs].join(" ");
  } catch {
    // It is gone, or may not be read.
    return undefined;
  }
}
