// Sends an agent's tool calls to promptfoo as OpenTelemetry spans, which its `trajectory:` assertions read.
import { randomBytes } from "node:crypto";
import { formatArguments, type AgentOutcome } from "../checks/agentOutcome.ts";

/** Sends nothing where promptfoo does not trace. Names and attributes are those of OpenTelemetry's GenAI conventions. */
export async function sendSpans(outcome: AgentOutcome, traceparent?: string): Promise<void> {
  const [, traceId, parentSpanId] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-/.exec(traceparent ?? "") ?? [];
  if (traceId === undefined) return;
  const base = BigInt(Date.now()) * 1_000_000n;
  const toSpan = (name: string, attributes: Record<string, string>, at: number): object => ({
    traceId,
    spanId: randomBytes(8).toString("hex"),
    parentSpanId,
    name,
    kind: 1,
    startTimeUnixNano: String(base + BigInt(at)),
    endTimeUnixNano: String(base + BigInt(at + 1)),
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({
      key,
      value: { stringValue },
    })),
  });
  const tools = outcome.toolCalls.map(({ name, args }, at) =>
    toSpan(
      `execute_tool ${name}`,
      {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        ...(args === undefined ? {} : { "gen_ai.tool.call.arguments": formatArguments(args) }),
      },
      at,
    ),
  );
  const thoughts = Array.from({ length: outcome.reasoningSteps }, (_, at) =>
    toSpan("reasoning", {}, tools.length + at),
  );
  const spans = [...tools, ...thoughts];
  if (spans.length === 0) return;
  const server = process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "http://127.0.0.1:4318";
  await fetch(`${server.replace(/(?<!\/)\/+$/, "")}/v1/traces`, {
    method: "POST",
    redirect: "error",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: {}, spans }] }],
    }),
  });
}
