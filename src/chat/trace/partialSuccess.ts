// Reads an ExportTraceServiceResponse of OpenTelemetry (OTLP 1): what a collector refused although it answered with 200.
import { isObject, tryParseJson } from "../../mindsdb/json.ts";

export interface PartialSuccess {
  /** 0 if the collector took all spans and only has something to say. */
  rejectedSpans: number;
  message: string;
}

/** Undefined if everything was taken, and for bodies that are something else. */
export function readPartialSuccess(body: Buffer): PartialSuccess | undefined {
  const read = body.toString("latin1", 0, 100).trimStart().startsWith("{")
    ? readJsonResponse(body.toString("utf8"))
    : readProtobufResponse(body);
  return read && (read.rejectedSpans > 0 || read.message !== "") ? read : undefined;
}

function readJsonResponse(text: string): PartialSuccess | undefined {
  const response = tryParseJson(text);
  const partial = isObject(response) ? response["partialSuccess"] : undefined;
  if (!isObject(partial)) return undefined;
  // 64-bit integers are texts in JSON.
  const { rejectedSpans, errorMessage } = partial;
  return toPartialSuccess(Number(rejectedSpans), errorMessage);
}

function readProtobufResponse(bytes: Buffer): PartialSuccess | undefined {
  const partial = readFields(bytes)?.get(1);
  const fields = partial instanceof Buffer ? readFields(partial) : undefined;
  const message = fields?.get(2);
  return (
    fields && toPartialSuccess(Number(fields.get(1)), message instanceof Buffer && String(message))
  );
}

function toPartialSuccess(rejected: number, message: unknown): PartialSuccess {
  return {
    rejectedSpans: Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0,
    message: typeof message === "string" ? message : "",
  };
}

/** The last value of each field of a protobuf message; undefined if the bytes are none. */
function readFields(bytes: Buffer): Map<number, number | Buffer> | undefined {
  const fields = new Map<number, number | Buffer>();
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length && factor < 2 ** 70; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    return NaN;
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const number = Math.floor(tag / 8);
    const type = tag % 8;
    if (type === 0) {
      fields.set(number, readVarint());
      continue;
    }
    const length = type === 2 ? readVarint() : type === 1 ? 8 : type === 5 ? 4 : NaN;
    if (!(length <= bytes.length - at)) return undefined;
    fields.set(number, bytes.subarray(at, at + length));
    at += length;
  }
  return fields;
}
