// Agents: listing, reading, creating, changing, deleting and asking.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import type { AgentFields } from "./agentFields.ts";
import { deleteItem } from "./deleteItem.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import { decodeList, decodeOne, itemName, optionalText, optionalTexts } from "./decode.ts";
import { cutOff } from "./cutText.ts";
import { AppError } from "./errors.ts";
import { omitUndefined, type JsonObject } from "./json.ts";
import { askPlain, isStreamAbsent, parsePlainAnswer, wholeAnswer } from "./plainAnswer.ts";
import { sortedByName } from "./nameOrder.ts";
import type { Secrets } from "./redact/redact.ts";
import { readSteps, type ReadOptions } from "./stream/readSteps.ts";
import type { StepEvent } from "./stream/stepEvents.ts";
import type { Agent } from "./listItems.ts";
import type { Turn } from "./conversationTurn.ts";
import { readInSlices } from "./readInSlices.ts";

/** An agent with all fields that a change must send back. */
export interface StoredAgent {
  name: string;
  /** As stored on the server, with the key in clear: never shown. Absent: the server's default. */
  model?: Record<string, unknown>;
  tables: string[];
  knowledgeBases: string[];
  promptTemplate?: string;
  /** Other parameters, like `mode`, without fields that hold secrets. */
  params?: Record<string, unknown>;
}

const agentParts = {
  model: v.fallback(
    v.optional(v.looseObject({ provider: optionalText, model_name: optionalText })),
    undefined,
  ),
  data: v.fallback(
    v.optional(v.looseObject({ tables: optionalTexts, knowledge_bases: optionalTexts })),
    undefined,
  ),
  prompt_template: optionalText,
};

const agentRow = v.looseObject({
  name: itemName,
  ...agentParts,
  model_name: optionalText,
  provider: optionalText,
  params: v.fallback(v.optional(v.looseObject(agentParts)), undefined),
  created_at: optionalText,
});

/** An agent with all other fields unchanged. */
const anyAgent = v.looseObject({ name: v.string() });

/**
 * The agents of a project, sorted by name. One request. Keys, which servers send in clear, are remembered for
 * redaction.
 */
export async function listAgents(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<Agent[]> {
  const answer = await client.get(apiPath`/api/projects/${project}/agents`, {
    limits: responseLimits.listing,
    ...options,
  });
  await client.secrets.learnList(answer);
  const rows = decodeList(agentRow, answer, client.secrets);
  const agents = sortedByName(await readInSlices(rows, (row) => toAgent(row, client.secrets)));
  client.observe({ kind: "listed", list: "agents", project, items: agents });
  return agents;
}

/**
 * One agent with all that a change needs. Throws AppError "notFound"; the name must have the right case. Its keys are
 * remembered for redaction.
 */
export async function getAgent(
  client: Client,
  project: string,
  name: string,
  options: CallOptions = {},
): Promise<StoredAgent> {
  const answer = await client.get(apiPath`/api/projects/${project}/agents/${name}`, options);
  client.secrets.learn(answer);
  const row = decodeOne(agentRow, answer, client.secrets);
  const { model, tables, knowledgeBases, promptTemplate } = readParts(row);
  const others = Object.entries(row.params ?? {}).filter(([key]) => !(key in agentParts));
  const params = client.secrets.omitSecrets(Object.fromEntries(others)) as Record<string, unknown>;
  const agent: StoredAgent = { name: row.name, tables, knowledgeBases, model, promptTemplate };
  return Object.keys(params).length === 0 ? agent : { ...agent, params };
}

/** An agent as the server gives it, field by field, with its keys masked. Throws AppError like `getAgent`. */
export async function getAgentFields(
  client: Client,
  project: string,
  name: string,
  options: CallOptions = {},
): Promise<JsonObject> {
  const answer = await client.get(apiPath`/api/projects/${project}/agents/${name}`, options);
  client.secrets.learn(answer);
  return masked(decodeOne(anyAgent, answer, client.secrets), client.secrets);
}

/**
 * Makes an agent and returns it as the server answered, with its keys masked; undefined where the answer is no agent.
 * 26.x calls the model first, however long that takes, so there is no time limit; 25.x believes everything. A server
 * cannot be told to stop: after an abort the agent may still come into being.
 */
export async function createAgent(
  client: Client,
  project: string,
  agent: AgentFields,
  options: CallOptions = {},
): Promise<JsonObject | undefined> {
  const path = apiPath`/api/projects/${project}/agents`;
  const answer = await client.post(path, { agent }, { timeoutMs: 0, ...options });
  client.secrets.learn(answer);
  const row = v.safeParse(anyAgent, answer);
  return row.success ? masked(row.output, client.secrets) : undefined;
}

/** Changes an agent. 26.x ignores a new name without other fields, though its answer shows it (seen on 26.1.0). */
export async function updateAgent(
  client: Client,
  project: string,
  name: string,
  change: AgentFields,
  options: CallOptions = {},
): Promise<void> {
  const path = apiPath`/api/projects/${project}/agents/${name}`;
  await client.put(path, { agent: change }, { timeoutMs: 0, ...options });
}

/** Deletes an agent. Throws AppError "notFound". */
export async function deleteAgent(client: Client, project: string, name: string): Promise<void> {
  const path = apiPath`/api/projects/${project}/agents/${name}`;
  await deleteItem(client, path, "AGENT", project, name);
}

type AgentRow = v.InferOutput<typeof agentRow>;

function masked(agent: JsonObject, secrets: Secrets): JsonObject {
  return secrets.redactValue(agent) as JsonObject;
}

/** Names are not redacted, because they are sent back: a key like "ollama" can be part of a name. */
function toAgent(row: AgentRow, secrets: Secrets): Agent {
  const { model, tables, knowledgeBases, promptTemplate } = readParts(row);
  const shown = [model?.["provider"], model?.["model_name"]].filter(Boolean).join(" · ");
  return {
    name: row.name,
    tables,
    knowledgeBases,
    ...omitUndefined({
      model: shown || undefined,
      promptTemplate: promptTemplate && secrets.redact(promptTemplate),
    }),
    createdAt: row.created_at,
  };
}

/** Some rows have provider and model name at the top level, some everything in `params` (seen on 26.1.0 and 25.14.1). */
function readParts(row: AgentRow): Omit<StoredAgent, "name" | "params"> {
  const { params } = row;
  const data = row.data ?? params?.data;
  const promptTemplate = row.prompt_template ?? params?.prompt_template;
  const model = row.model ?? params?.model ?? modelOnTop(row);
  return {
    tables: data?.tables ?? [],
    knowledgeBases: data?.knowledge_bases ?? [],
    model,
    promptTemplate,
  };
}

function modelOnTop({ provider, model_name }: AgentRow): Record<string, unknown> | undefined {
  if (provider === undefined && model_name === undefined) return undefined;
  return { provider, model_name };
}

/**
 * Asks an agent and yields what it does as it comes; where the server does not stream, its whole answer. Ends after the
 * stream's end; throws AppError "cutOff" if the stream closes without one. Leaving the iteration, or the signal, closes
 * the socket at once (the server works on).
 *
 * A late failure of the language model repeats the agent's key (seen on 26.1.0). So the agent is read beside the
 * question, and no failure is passed on before its key is known and can be masked, nor the frame that it came in.
 */
export async function* askAgent(
  client: Client,
  project: string,
  agent: string,
  messages: Turn[],
  signal?: AbortSignal,
  onFrame?: (frame: string) => void,
): AsyncGenerator<StepEvent> {
  const path = apiPath`/api/projects/${project}/agents/${agent}/completions/stream`;
  const asked = { project, agent };
  const events = await openEvents(client, path, asked, checked(messages), { signal, onFrame });
  const keyIsKnown = getAgent(client, project, agent, { signal }).catch(() => undefined);
  for await (const event of events) {
    if (event.type === "failed") await keyIsKnown;
    yield event;
  }
}

/** The events of the stream, or of the plain endpoint where the server does not stream. */
async function openEvents(
  client: Client,
  path: string,
  asked: { project: string; agent: string },
  messages: Turn[],
  { signal, onFrame }: { signal: AbortSignal | undefined; onFrame: ReadOptions["onFrame"] },
): Promise<AsyncIterable<StepEvent> | Iterable<StepEvent>> {
  try {
    const reply = await client.stream(path, { messages }, { signal, cost: "byAction" });
    if ("events" in reply) {
      return readSteps(reply.events, { signal, onFrame });
    }
    const answer = parsePlainAnswer(reply.whole);
    if (answer) return wholeAnswer(answer);
    const refused = new AppError("notMindsDB", l10n.t("The server sent an unexpected response."), {
      detail: client.secrets.redact(cutOff(reply.whole, 4_000)),
    });
    return askPlain(client, asked, messages, refused, signal);
  } catch (error) {
    if (isStreamAbsent(error, path)) return askPlain(client, asked, messages, error, signal);
    throw error;
  }
}

/** Rejects an empty question, which servers would send to the model and bill. */
function checked(messages: Turn[]): Turn[] {
  const last = messages[messages.length - 1];
  if (!last || last.question.trim() === "" || last.answer !== "") {
    throw new AppError("refused", l10n.t("Enter a question."));
  }
  return messages;
}
