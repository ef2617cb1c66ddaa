// What a form would send, as text to copy, without keys.
import type { ServerAccess } from "../../connections/connection.ts";
import type { AgentFields } from "../../mindsdb/agentFields.ts";
import { mask } from "../../mindsdb/redact/redact.ts";
import { changeOf, creationOf } from "../agentDraft.ts";
import type { AgentForm, ToHost } from "../formMessages.ts";
import { asCurl, asJson } from "../requestFormats.ts";
import { createAgentStatement } from "./createStatement.ts";
import type { DataSources } from "./dataSourceItems.ts";

/**
 * The request as JSON or as a curl command, or the statement that makes the agent, whole, also where the form changes one;
 * undefined if SQL cannot say a value of it. Where the server's own model goes along, it is asked for.
 */
export async function requestText(
  { as, draft, typedKey }: Extract<ToHost, { type: "copy" }>,
  { before, modelOf, connectionId }: AgentForm,
  catalogue: DataSources,
  servers: ServerAccess,
): Promise<string | undefined> {
  const stored = modelOf
    ? (await catalogue.agent(modelOf.project, modelOf.name).catch(() => undefined))?.model
    : undefined;
  const apiKey = typedKey ? mask : "";
  const whole =
    before && as !== "sql"
      ? changeOf(before, draft, apiKey, stored)
      : creationOf(draft, apiKey, stored);
  const fields = servers.secrets(connectionId).redactValue(whole) as AgentFields;
  if (as === "sql") return createAgentStatement(draft.project, fields);
  if (as === "json") return asJson(fields);
  const agents = `/api/projects/${encodeURIComponent(draft.project)}/agents`;
  const status = await servers.status(connectionId).catch(() => undefined);
  return asCurl({
    method: before ? "PUT" : "POST",
    address: servers.find(connectionId)?.address ?? "",
    path: before ? `${agents}/${encodeURIComponent(before.name)}` : agents,
    fields,
    needsToken: status?.authEnabled ?? false,
  });
}
