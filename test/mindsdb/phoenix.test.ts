// A real Arize Phoenix shows the traces of all recorded streams as they were sent.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { startPhoenix, type Phoenix } from "../../scripts/mindsdb/phoenix.ts";
import { encodeTraceJson, encodeTraceProtobuf, type Trace } from "../../src/chat/trace/otlp.ts";
import { parseCollector, sendTrace } from "../../src/chat/trace/sendTrace.ts";
import { buildSpans, type Span } from "../../src/chat/trace/spans.ts";
import { recordedRuns, traceOptions } from "../unit/chat/trace/recordedRuns.ts";

/** A span as Phoenix's API returns it. */
interface StoredSpan {
  name: string;
  context: { trace_id: string; span_id: string };
  span_kind: string;
  parent_id: string | null;
  start_time: string;
  end_time: string;
  status_code: string;
  status_message: string;
  attributes: Record<string, unknown>;
}

const project = "rental_agent";
/** Until Phoenix, which stores spans some time after it accepted them, has all of them. */
const maxStoringMs = 120_000;

describe("Arize Phoenix", () => {
  let phoenix: Phoenix | undefined;
  before("install and start it", async function () {
    this.timeout(10 * 60_000);
    phoenix = await startPhoenix();
  });
  after(() => phoenix?.stop());

  const traces = recordedRuns.map(({ run }): Trace => {
    const spans = buildSpans(run, { ...traceOptions, hasContent: true });
    return { spans, project, version: "0.1.0" };
  });
  const sent = traces.flatMap(({ spans }) => spans);

  async function send(body: Uint8Array): Promise<void> {
    const signal = AbortSignal.timeout(20_000);
    await sendTrace(parseCollector(phoenix!.url), body, { network: {}, signal });
  }

  async function readSpans(): Promise<StoredSpan[]> {
    const response = await fetch(`${phoenix!.url}/v1/projects/${project}/spans?limit=1000`, {
      signal: AbortSignal.timeout(10_000),
    });
    return response.ok ? ((await response.json()) as { data: StoredSpan[] }).data : [];
  }

  async function readAllSpans(): Promise<StoredSpan[]> {
    const deadline = Date.now() + maxStoringMs;
    let stored = await readSpans();
    while (stored.length < sent.length && Date.now() < deadline) {
      await sleep(200);
      stored = await readSpans();
    }
    return stored;
  }

  it("stores every span with its place, times, status and attributes, once", async () => {
    for (const trace of [...traces, traces[0]!]) await send(encodeTraceProtobuf(trace));
    const stored = await readAllSpans();
    assert.equal(stored.length, sent.length);
    const found = new Map(stored.map((span) => [span.context.span_id, span]));
    for (const span of sent) assertStored(found.get(span.spanId), span);
  });

  it("refuses what is no protobuf, and the product says so", async () => {
    await assert.rejects(
      send(Buffer.from(encodeTraceJson(traces[0]!))),
      /did not accept the trace \(HTTP 422\)/,
    );
  });
});

function assertStored(stored: StoredSpan | undefined, span: Span): void {
  assert.ok(stored, span.name);
  const { "openinference.span.kind": spanKind, ...attributes } = span.attributes;
  assert.deepEqual(
    {
      name: stored.name,
      traceId: stored.context.trace_id,
      parent: stored.parent_id,
      kind: stored.span_kind,
      start: Date.parse(stored.start_time),
      end: Date.parse(stored.end_time),
      status: [stored.status_code, stored.status_message],
    },
    {
      name: span.name,
      traceId: span.traceId,
      parent: span.parentSpanId ?? null,
      kind: spanKind,
      // Dates have no microseconds.
      start: Math.floor(span.start),
      end: Math.floor(span.end),
      status: span.error === undefined ? ["UNSET", ""] : ["ERROR", span.error],
    },
  );
  // Phoenix adds attributes of its own.
  for (const [key, value] of Object.entries(attributes)) {
    assert.equal(stored.attributes[key], value, `${span.name}: ${key}`);
  }
}
