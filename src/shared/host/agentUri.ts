// The address of an agent's row in the tree: it ties the row to the badge that the chat gives it.
import * as vscode from "vscode";

const scheme = "mindsdb-workbench-agent";

interface AgentPlace {
  connectionId: string;
  project: string;
  name: string;
}

export function agentUri({ connectionId, project, name }: AgentPlace): vscode.Uri {
  const path = `/${[connectionId, project, name].map(encodePart).join("/")}`;
  return vscode.Uri.from({ scheme, path });
}

/** The agent that an address is of; undefined for any other address. */
export function agentAt(uri: vscode.Uri): AgentPlace | undefined {
  if (uri.scheme !== scheme) return undefined;
  const [, connectionId = "", project = "", name = ""] = uri.path.split("/").map(decodePart);
  return { connectionId, project, name };
}

/** Names may hold anything, half of a surrogate pair too, which no URI can; VS Code takes no notice of a path's case. */
function encodePart(part: string): string {
  return Buffer.from(part, "utf16le").toString("hex");
}

function decodePart(part: string): string {
  return Buffer.from(part, "hex").toString("utf16le");
}
