// Both encodings of the traces of all recorded streams say the same: the protobuf is read by its wire format.
import assert from "node:assert/strict";
import {
  encodeTraceJson,
  encodeTraceProtobuf,
  type Trace,
} from "../../../../src/chat/trace/otlp.ts";
import { buildSpans } from "../../../../src/chat/trace/spans.ts";
import { findRun, recordedRuns, traceOptions } from "./recordedRuns.ts";

type Field = number | bigint | Buffer;
/** The values of each field number of a message. */
type Message = Map<number, Field[]>;

function readMessage(bytes: Buffer): Message {
  const message: Message = new Map();
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? assert.fail("cut off");
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const readBytes = (length: number): Buffer => {
    at += length;
    assert.ok(at <= bytes.length);
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const value: Field =
      (tag & 7) === 0
        ? readVarint()
        : (tag & 7) === 1
          ? readBytes(8).readBigUInt64LE()
          : (tag & 7) === 2
            ? readBytes(readVarint())
            : assert.fail(`wire type ${String(tag & 7)}`);
    message.set(tag >> 3, [...(message.get(tag >> 3) ?? []), value]);
  }
  return message;
}

const buffers = (message: Message, field: number): Buffer[] =>
  (message.get(field) ?? []) as Buffer[];
const messages = (message: Message, field: number): Message[] =>
  buffers(message, field).map(readMessage);
const text = (message: Message, field: number): string => buffers(message, field).join();
const hex = (message: Message, field: number): string =>
  buffers(message, field)
    .map((bytes) => bytes.toString("hex"))
    .join();
const number = (message: Message, field: number): number | bigint | undefined =>
  message.get(field)?.[0] as number | bigint | undefined;

function readAttributes(message: Message, field: number): unknown[] {
  return messages(message, field).map((pair) => {
    const [value = new Map() as Message] = messages(pair, 2);
    const whole = number(value, 3);
    return {
      key: text(pair, 1),
      value: whole === undefined ? { stringValue: text(value, 1) } : { intValue: String(whole) },
    };
  });
}

/** As OTLP's JSON, by the field numbers of opentelemetry-proto 1. */
function readTrace(bytes: Uint8Array): unknown {
  return {
    resourceSpans: messages(readMessage(Buffer.from(bytes)), 1).map((resourceSpans) => ({
      resource: { attributes: readAttributes(messages(resourceSpans, 1)[0]!, 1) },
      scopeSpans: messages(resourceSpans, 2).map((scopeSpans) => ({
        scope: messages(scopeSpans, 1).map((scope) => ({
          name: text(scope, 1),
          version: text(scope, 2),
        }))[0],
        spans: messages(scopeSpans, 2).map(readSpan),
      })),
    })),
  };
}

function readSpan(span: Message): unknown {
  const [status] = messages(span, 15);
  return {
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    ...(span.has(4) && { parentSpanId: hex(span, 4) }),
    name: text(span, 5),
    kind: number(span, 6),
    startTimeUnixNano: String(number(span, 7)),
    endTimeUnixNano: String(number(span, 8)),
    attributes: readAttributes(span, 9),
    ...(status && { status: { code: number(status, 3), message: text(status, 2) } }),
  };
}

function traceOf(run: Parameters<typeof buildSpans>[0], hasContent: boolean): Trace {
  const spans = buildSpans(run, { ...traceOptions, hasContent });
  return { spans, project: "rental_agent", version: "0.1.0" };
}

describe("A trace", () => {
  for (const { name, run } of recordedRuns) {
    it(`is the same as JSON and as protobuf for ${name}`, () => {
      for (const hasContent of [false, true]) {
        const trace = traceOf(run, hasContent);
        const json = JSON.parse(encodeTraceJson(trace)) as unknown;
        assert.deepEqual(readTrace(encodeTraceProtobuf(trace)), json);
      }
    });
  }

  it("has hexadecimal ids, and large numbers as decimal text", () => {
    const run = findRun("26.1.0/llm_500_at_answer");
    const trace = traceOf(run, false);
    const [root, first] = trace.spans;
    const { resourceSpans } = JSON.parse(encodeTraceJson(trace)) as {
      resourceSpans: { resource: unknown; scopeSpans: { spans: Record<string, unknown>[] }[] }[];
    };
    assert.deepEqual(resourceSpans[0]?.resource, {
      attributes: [
        { key: "service.name", value: { stringValue: "mindsdb-workbench" } },
        { key: "service.version", value: { stringValue: "0.1.0" } },
        { key: "openinference.project.name", value: { stringValue: "rental_agent" } },
      ],
    });
    const [rootJson, firstJson] = resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    const { attributes, ...rest } = rootJson ?? {};
    assert.deepEqual(rest, {
      traceId: root?.traceId,
      spanId: root?.spanId,
      name: "invoke_agent rental_agent",
      kind: 3,
      startTimeUnixNano: "1795422600000000000",
      endTimeUnixNano: "1795422600061500000",
      status: { code: 2, message: "failed" },
    });
    assert.deepEqual(
      (attributes as { key: string }[]).find(({ key }) => key === "server.port"),
      { key: "server.port", value: { intValue: "47334" } },
    );
    assert.deepEqual(
      [firstJson?.["parentSpanId"], firstJson?.["kind"], first?.parentSpanId],
      [root?.spanId, 1, root?.spanId],
    );
  });

  it("holds any text, also half of a surrogate pair and one of many megabytes", () => {
    const long = "ü€😀".repeat(300_000);
    const run = { ...findRun("26.1.0/text_direct"), question: `\ud83d ${long} \0` };
    const trace = traceOf(run, true);
    assert.equal(trace.spans[0]?.attributes["input.value"], `\ufffd ${long} \0`);
    assert.deepEqual(
      readTrace(encodeTraceProtobuf(trace)),
      JSON.parse(encodeTraceJson(trace)) as unknown,
    );
  });
});
