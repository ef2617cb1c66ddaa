// How the sample server proves to this window that it is the one of its user. Imported with the first request to it.
import * as vscode from "vscode";
import { AppError } from "../../mindsdb/errors.ts";
import type { ProvenServer } from "../../mindsdb/http/provenServer.ts";
import { ForeignServerError, openProvenSocket } from "../sharedServer/provenSocket.ts";
import { bearerToken, readSecret } from "../sharedServer/secret.ts";

/** The folder with the secret of a sample server from settings, as `npm start` runs one. Others prove nothing. */
const presetFolder = "MINDSDB_WORKBENCH_SAMPLE_SERVER";

/** The secret in VS Code's folder, or that of a preset server. Rejects if the folder cannot hold a secret. */
export async function findSecret(
  ownFolder: string,
  isPreset: boolean,
): Promise<string | undefined> {
  const folder = isPreset ? process.env[presetFolder] : ownFolder;
  return folder === undefined ? undefined : readSecret(folder);
}

/** The server with the secret in VS Code's folder, or a preset one. Rejects if the folder cannot hold a secret. */
export async function createProvenServer(
  ownFolder: string,
  isPreset: boolean,
): Promise<ProvenServer | undefined> {
  const secret = await findSecret(ownFolder, isPreset);
  if (secret === undefined) return undefined;
  return {
    token: bearerToken(secret),
    openSocket: (port) =>
      openProvenSocket(port, secret).catch((cause: unknown) => {
        if (!(cause instanceof ForeignServerError)) throw cause;
        const message = vscode.l10n.t(
          "Another program uses the port of the sample server ({0}). Nothing was sent to it.",
          port,
        );
        throw new AppError("unreachable", message, { cause });
      }),
  };
}
