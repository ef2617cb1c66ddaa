// The URI of an agent's row in the tree, which connects the row to its badge.
import * as vscode from "vscode";
import type { AgentRef } from "../../mindsdb/references.ts";

const scheme = "mindsdb-workbench-agent";

export function agentUri({ connectionId, project, name }: AgentRef): vscode.Uri {
  const path = `/${[connectionId, project, name].map(encodePart).join("/")}`;
  return vscode.Uri.from({ scheme, path });
}

/** Returns the agent of a URI; undefined for any other URI. */
export function agentAt(uri: vscode.Uri): AgentRef | undefined {
  if (uri.scheme !== scheme) return undefined;
  const [, connectionId = "", project = "", name = ""] = uri.path.split("/").map(decodePart);
  return { connectionId, project, name };
}

/** Encodes any name: URIs cannot contain lone surrogates, and VS Code ignores the case of paths. */
function encodePart(part: string): string {
  return Buffer.from(part, "utf16le").toString("hex");
}

function decodePart(part: string): string {
  return Buffer.from(part, "hex").toString("utf16le");
}
