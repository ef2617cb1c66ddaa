// The OpenTelemetry spans of a run, by the GenAI conventions (status "Development", November 2026). The attributes of
// OpenInference stand beside them, because Phoenix shows no input and output without.
import { createHash } from "node:crypto";
import { cutOff } from "../../mindsdb/cutText.ts";
import { isObject, tryParseJson } from "../../mindsdb/json.ts";
import type { StepPart } from "../../mindsdb/stream/stepEvents.ts";
import type { AgentRun, ChatAgent, TimedStep } from "../transcript.ts";

export interface Span {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: "internal" | "client";
  /** Epoch ms, by the clock of this machine. */
  start: number;
  end: number;
  /** Numbers are whole and not negative. */
  attributes: Record<string, string | number>;
  /** The failure, if there was one. */
  error?: string;
}

export interface TraceOptions {
  chatId: string;
  agent: ChatAgent;
  /** The server's, if its connection still exists. */
  address: string | undefined;
  /** Adds the question, the answer, and what tools were given and returned. */
  hasContent: boolean;
  /** Every text goes through it. */
  redact: (text: string) => string;
}

/** The model makes up names of tools too. */
const maxToolName = 200;

/**
 * Returns the root span, then one span for each step. Times are those at which the stream's events arrived here. A run
 * always has the same ids, so that collectors recognize one that is sent again; others with content, since collectors do
 * not add it to spans that they have.
 */
export function buildSpans(run: AgentRun, options: TraceOptions): [Span, ...Span[]] {
  const { chatId, agent, hasContent } = options;
  const traceId = hash(`${chatId}/${String(run.id)}/${String(hasContent)}`, 32);
  const rootId = hash(`${traceId}/0`, 16);
  const took = Math.max(0, run.took ?? 0);
  // The clock may have been set back during the run.
  const toTime = (at: number): number => run.startedAt + Math.min(Math.max(0, at), took);
  const hasFailed = run.state === "failed" || run.state === "cutOff";
  const root: Span = {
    traceId,
    spanId: rootId,
    name: `invoke_agent ${agent.name}`,
    kind: "client",
    start: run.startedAt,
    end: toTime(took),
    attributes: {
      ...describeRun(run, options),
      ...(hasFailed && { "error.type": run.state }),
      ...(hasContent && contentOfRun(run)),
    },
    ...(hasFailed && { error: (hasContent && run.reason) || run.state }),
  };
  const steps = run.steps.map((step, index): Span => {
    const { name, kind = "internal", attributes } = describeStep(step, options);
    const start = toTime(step.at);
    return {
      traceId,
      spanId: hash(`${traceId}/${String(index + 1)}`, 16),
      parentSpanId: rootId,
      name,
      kind,
      start,
      end: Math.max(start, toTime(step.until ?? took)),
      attributes: {
        ...attributes,
        ...(step.state === "failed" && { "error.type": "step_failed" }),
        ...(hasContent && contentOfStep(step)),
      },
      ...(step.state === "failed" && { error: "step_failed" }),
    };
  });
  const finish = (span: Span): Span => withTexts(span, options.redact);
  return [finish(root), ...steps.map(finish)];
}

function describeRun(run: AgentRun, { chatId, agent, address }: TraceOptions): Span["attributes"] {
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "mindsdb",
    "gen_ai.agent.name": agent.name,
    "gen_ai.conversation.id": chatId,
    ...describeServer(address),
    "mindsdb.project": agent.project,
    "mindsdb.run.state": run.state,
    "mindsdb.clock": "client: when events arrived",
    "openinference.span.kind": "AGENT",
  };
}

function describeServer(address: string | undefined): Span["attributes"] {
  if (address === undefined || !URL.canParse(address)) return {};
  const { protocol, hostname, port } = new URL(address);
  const defaultPort = protocol === "https:" ? 443 : 80;
  return { "server.address": hostname, "server.port": Number(port) || defaultPort };
}

type StepSpan = Pick<Span, "name" | "attributes"> & { kind?: Span["kind"] };

function describeStep({ kind, tool }: TimedStep, { agent, address }: TraceOptions): StepSpan {
  const inAgent = { "gen_ai.agent.name": agent.name, "openinference.span.kind": "CHAIN" };
  switch (kind) {
    case "plan":
      return {
        name: `plan ${agent.name}`,
        attributes: { "gen_ai.operation.name": "plan", ...inAgent },
      };
    case "thinking":
      return { name: "reasoning", attributes: inAgent };
    case "tool":
    case "sql": {
      const name = cutOff(tool ?? kind, maxToolName);
      return {
        name: `execute_tool ${name}`,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": name,
          "gen_ai.tool.type": "datastore",
          "openinference.span.kind": "TOOL",
        },
      };
    }
    case "documents":
      // The stream does not name the knowledge base.
      return {
        name: "retrieval",
        kind: "client",
        attributes: {
          "gen_ai.operation.name": "retrieval",
          "gen_ai.provider.name": "mindsdb",
          ...describeServer(address),
          "openinference.span.kind": "RETRIEVER",
        },
      };
    case "status":
    case "notStreamed":
    case "unknown":
      return { name: kind, attributes: inAgent };
  }
}

function contentOfRun({ question, answer, state }: AgentRun): Span["attributes"] {
  const messages = (role: string, content: string, more = {}): string =>
    JSON.stringify([{ role, parts: [{ type: "text", content }], ...more }]);
  const finishReason = state === "answered" ? "stop" : "error";
  return {
    "gen_ai.input.messages": messages("user", question),
    "input.value": question,
    ...(answer && {
      "gen_ai.output.messages": messages("assistant", answer.text, {
        finish_reason: finishReason,
      }),
      "output.value": answer.text,
      "output.mime_type": "text/plain",
    }),
  };
}

function contentOfStep({ kind, parts }: TimedStep): Span["attributes"] {
  const join = (...kinds: StepPart["kind"][]): string | undefined => {
    // few: the kinds that are named below.
    const texts = parts.filter((part) => kinds.includes(part.kind)).map(({ text }) => text);
    return texts.length === 0 ? undefined : texts.join("\n\n");
  };
  const given = join("sql", "input");
  const isTool = kind === "tool" || kind === "sql";
  const result = join(
    "observation",
    "error",
    "raw",
    ...(isTool ? [] : (["text", "thought"] as const)),
  );
  const documents = kind === "documents" ? listDocuments(parts) : [];
  return {
    ...(given !== undefined && { "input.value": given }),
    ...(result !== undefined && { "output.value": result, "output.mime_type": "text/plain" }),
    ...(isTool &&
      given !== undefined && {
        "gen_ai.tool.call.arguments": formatObject(kind === "sql" ? "query" : "input", given),
      }),
    ...(isTool &&
      result !== undefined && { "gen_ai.tool.call.result": formatObject("output", result) }),
    ...(documents.length > 0 && { "gen_ai.retrieval.documents": JSON.stringify(documents) }),
  };
}

/** A JSON object, which the conventions want: the text if it is one, else one with the text or list in a field. */
function formatObject(field: string, text: string): string {
  const value = tryParseJson(text);
  if (isObject(value)) return text;
  // Not stringified again: that changes long numbers.
  return `{${JSON.stringify(field)}:${Array.isArray(value) ? text : JSON.stringify(text)}}`;
}

/** The ids in the metadata of documents, with scores where there are some. */
function listDocuments(parts: readonly StepPart[]): { id: string; score?: number }[] {
  return parts.flatMap(({ kind, text }) => {
    const value = kind === "raw" ? tryParseJson(text) : undefined;
    if (!isObject(value)) return [];
    const { id, score = value["relevance"] } = value;
    if (typeof id !== "string" && typeof id !== "number") return [];
    return [{ id: String(id), ...(typeof score === "number" && { score }) }];
  });
}

/** Redacts all texts. Halves of surrogate pairs, which neither encoding can hold, become U+FFFD. */
function withTexts(span: Span, redact: (text: string) => string): Span {
  const clean = (text: string): string => Buffer.from(redact(text)).toString();
  const attributes = Object.entries(span.attributes).map(([key, value]) => [
    key,
    typeof value === "string" ? clean(value) : value,
  ]);
  return {
    ...span,
    name: clean(span.name),
    attributes: Object.fromEntries(attributes) as Span["attributes"],
    ...(span.error !== undefined && { error: clean(span.error) }),
  };
}

function hash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
