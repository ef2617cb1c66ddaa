// Reads an ExportTraceServiceResponse of OpenTelemetry (OTLP 1): what a collector refused although it answered with 200.
import { isObject, tryParseJson } from "../../mindsdb/json.ts";

interface PartialSuccess {
  /** 0 if the collector took all spans and only has something to say. */
  rejectedSpans: number;
  message: string;
}

/** Undefined if everything was taken, and for bodies that are something else. */
export function readPartialSuccess(body: Buffer): PartialSuccess | undefined {
  // A protobuf message can begin like JSON: with a line feed, and a length that is a brace. trimStart removes a byte order
  // mark too.
  const text = body.toString("utf8").trimStart();
  const json = text.startsWith("{") ? readJsonResponse(text) : undefined;
  const read = json ?? readProtobufResponse(body);
  return read && (read.rejectedSpans > 0 || read.message !== "") ? read : undefined;
}

function readJsonResponse(text: string): PartialSuccess | undefined {
  const response = tryParseJson(text);
  if (!isObject(response)) return undefined;
  // Protobuf's JSON may have names in camel case or as in the schema; 64-bit integers are texts.
  const partial = response["partialSuccess"] ?? response["partial_success"];
  if (!isObject(partial)) return undefined;
  const rejected = partial["rejectedSpans"] ?? partial["rejected_spans"];
  return toPartialSuccess(Number(rejected), partial["errorMessage"] ?? partial["error_message"]);
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
