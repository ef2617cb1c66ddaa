// Renaming a connection. Imported when the command runs.
import * as vscode from "vscode";
import { askText, type QuestionFrame } from "../../shared/host/quickInput.ts";
import { oneLine } from "../../shared/oneLine.ts";
import type { Connection } from "../../shared/connection.ts";
import type { Connections } from "./connections.ts";

/** Asks for a new name, which must be unique. */
export async function renameConnection(
  connections: Connections,
  connection: Connection,
): Promise<void> {
  const title = vscode.l10n.t("Rename {0}", connection.name);
  const name = await askName(connections, connection, { title });
  if (name !== undefined) await connections.change(connection.id, { name });
}

/** A name that no other connection has; undefined if the user gave up. */
export async function askName(
  connections: Connections,
  { id, name, address }: Connection,
  frame: QuestionFrame,
): Promise<string | undefined> {
  const value = await askText({
    ...frame,
    prompt: vscode.l10n.t("The name of the connection to {0}", address),
    value: name,
    accept: (typed) => {
      const wanted = oneLine(typed);
      const isTaken = connections.list().some((other) => other.id !== id && other.name === wanted);
      if (wanted === "") return Promise.resolve(vscode.l10n.t("Enter a name."));
      return Promise.resolve(
        isTaken
          ? vscode.l10n.t("Another connection is named {0}. Choose another name.", wanted)
          : undefined,
      );
    },
  });
  return typeof value === "string" ? oneLine(value) : undefined;
}
