// Encodes spans as an ExportTraceServiceRequest of OpenTelemetry (OTLP 1): as JSON for files, and as protobuf for
// collectors, of which some take nothing else (Phoenix 20 answers 415 to JSON).
import type { Span } from "./spans.ts";

export interface Trace {
  spans: readonly Span[];
  /** The project that Phoenix shows the trace in. */
  project: string;
  /** Of the extension. */
  version: string;
}

const serviceName = "mindsdb-workbench";
const kinds = { internal: 1, client: 3 } as const;
const errorStatus = 2;

function resourceAttributes({ project, version }: Trace): Span["attributes"] {
  return {
    "service.name": serviceName,
    "service.version": version,
    "openinference.project.name": project,
  };
}

export function encodeTraceJson(trace: Trace): string {
  const request = {
    resourceSpans: [
      {
        resource: { attributes: jsonAttributes(resourceAttributes(trace)) },
        scopeSpans: [
          {
            scope: { name: serviceName, version: trace.version },
            spans: trace.spans.map(({ kind, start, end, attributes, error, ...span }) => ({
              ...span,
              kind: kinds[kind],
              startTimeUnixNano: String(nanoseconds(start)),
              endTimeUnixNano: String(nanoseconds(end)),
              attributes: jsonAttributes(attributes),
              ...(error !== undefined && { status: { code: errorStatus, message: error } }),
            })),
          },
        ],
      },
    ],
  };
  return JSON.stringify(request, undefined, 2);
}

function jsonAttributes(attributes: Span["attributes"]): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));
}

export function encodeTraceProtobuf(trace: Trace): Uint8Array {
  const scope = [text(1, serviceName), text(2, trace.version)];
  const scopeSpans = [
    bytes(1, Buffer.concat(scope)),
    ...trace.spans.map((span) => bytes(2, encodeSpan(span))),
  ];
  const resourceSpans = [
    bytes(1, Buffer.concat(encodeAttributes(1, resourceAttributes(trace)))),
    bytes(2, Buffer.concat(scopeSpans)),
  ];
  return bytes(1, Buffer.concat(resourceSpans));
}

function encodeSpan(span: Span): Buffer {
  const status = [text(2, span.error ?? ""), integer(3, errorStatus)];
  return Buffer.concat([
    bytes(1, Buffer.from(span.traceId, "hex")),
    bytes(2, Buffer.from(span.spanId, "hex")),
    ...(span.parentSpanId === undefined ? [] : [bytes(4, Buffer.from(span.parentSpanId, "hex"))]),
    text(5, span.name),
    integer(6, kinds[span.kind]),
    fixed64(7, nanoseconds(span.start)),
    fixed64(8, nanoseconds(span.end)),
    ...encodeAttributes(9, span.attributes),
    ...(span.error === undefined ? [] : [bytes(15, Buffer.concat(status))]),
  ]);
}

function encodeAttributes(field: number, attributes: Span["attributes"]): Buffer[] {
  return Object.entries(attributes).map(([key, value]) => {
    const encoded = typeof value === "number" ? integer(3, value) : text(1, value);
    return bytes(field, Buffer.concat([text(1, key), bytes(2, encoded)]));
  });
}

function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1000)) * 1000n;
}

// Protobuf's wire format: a tag of field number and wire type, then the value.

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value, "utf8"));
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function fixed64(field: number, value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(value);
  return Buffer.concat([varint((field << 3) | 1), buffer]);
}

/** Only for whole numbers that are not negative. */
function varint(value: number): Buffer {
  const encoded: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    encoded.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return Buffer.from(encoded);
}
