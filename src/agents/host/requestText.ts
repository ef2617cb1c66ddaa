import { loadRedaction } from "../../mindsdb/redact/redact.ts";
import * as vscode from "vscode";
import { encodePart } from "../../mindsdb/encodePart.ts";
import type { ServerAccess } from "../../shared/connection.ts";
import type { AgentFields } from "../../mindsdb/agentFields.ts";
import { mask } from "../../mindsdb/redact/secretNames.ts";
import { buildCreateFields, buildUpdateFields, type AgentDraft } from "../agentDraft.ts";
import type { AgentForm, CopyFormat } from "../agentForm.ts";
import { formatCurl } from "../requestAsCode.ts";
import { getShell } from "../../shared/shells.ts";
import { createAgentStatement } from "./createStatement.ts";
import type { ServerCatalog } from "./serverCatalog.ts";

/**
 * Returns the form's request as a curl command, or the complete CREATE AGENT statement. Keys are masked.
 * `variable` is an environment variable of VS Code's terminals that the command needs. Undefined if SQL cannot express a
 * value. Reads the stored model from the server if it is part of the request.
 */
export async function requestText(
  { format, draft, typedKey }: { format: CopyFormat; draft: AgentDraft; typedKey: boolean },
  { before, modelOf, connectionId }: AgentForm,
  catalog: ServerCatalog,
  servers: ServerAccess,
): Promise<{ text: string; variable?: string } | undefined> {
  loadRedaction();
  const stored = modelOf
    ? (await catalog.readAgent(modelOf.project, modelOf.name).catch(() => undefined))?.model
    : undefined;
  const apiKey = typedKey ? mask : "";
  const whole =
    before && format !== "sql"
      ? buildUpdateFields(before, draft, apiKey, stored)
      : buildCreateFields(draft, apiKey, stored);
  const fields = servers.secrets(connectionId).redactWholeValue(whole) as AgentFields;
  if (format === "sql") {
    const text = createAgentStatement(draft.project, fields);
    return text === undefined ? undefined : { text };
  }
  const agents = `/api/projects/${encodePart(draft.project)}/agents`;
  const status = await servers.status(connectionId).catch(() => undefined);
  const variable = await servers.setTokenVariable?.(connectionId).catch(() => undefined);
  const placeholder = status?.authEnabled === true ? "<your token>" : undefined;
  const text = formatCurl({
    method: before ? "PUT" : "POST",
    address: servers.find(connectionId)?.address ?? "",
    path: before ? `${agents}/${encodePart(before.name)}` : agents,
    fields,
    token: variable === undefined ? placeholder && { placeholder } : { variable },
    shell: getShell(vscode.env.shell),
  });
  return { text, ...(variable === undefined ? {} : { variable }) };
}
