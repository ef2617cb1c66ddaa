// Lets programs in VS Code's terminals use the sample server. Imported with the first thing that is copied for them.
import * as vscode from "vscode";
import { readProgramToken } from "../sharedServer/sharedServerClient.ts";
import { findSecret } from "./provenServer.ts";

const name = "MINDSDB_SAMPLE_TOKEN";

/**
 * Gives new terminals of this window a token for the running server, in a variable whose name is returned. It opens the
 * server until that stops, so it is neither copied nor stored. Undefined if the server does not run there.
 */
export async function setTokenVariable(
  variables: vscode.EnvironmentVariableCollection,
  address: string,
  ownFolder: string,
  isPreset: boolean,
): Promise<string | undefined> {
  const secret = await findSecret(ownFolder, isPreset);
  const port = Number(new URL(address).port);
  const token = secret === undefined ? undefined : await readProgramToken(port, secret);
  if (token === undefined) return undefined;
  variables.persistent = false;
  variables.description = vscode.l10n.t("A token for the sample server");
  variables.replace(name, token);
  return name;
}
