// Reads the body of an answer within limits, whatever a server or something in its place sends.
import * as l10n from "@vscode/l10n";
import { AppError } from "../errors.ts";
import { InterruptibleReader } from "./interruptibleReader.ts";
import type { HttpResponse } from "./transport.ts";

/** Limits of a response. */
export interface ResponseLimits {
  /** After decompression. */
  maxBytes: number;
  /**
   * JSON values that are read: `{},` again and again becomes thirty times as large in memory, and parsing a million takes up
   * to 0.7 s (measured with as many different names).
   */
  maxValues: number;
  /** Milliseconds from the headers to the body's end: a byte now and then would keep a request open for ever. */
  maxMs: number;
}

const megabyte = 1024 * 1024;

/** Limits by what is asked for. They are far above what real servers send (seen on 26.1.0 and 25.14.1). */
export const responseLimits = {
  /** A status, a login, one thing's description or configuration. */
  small: { maxBytes: 4 * megabyte, maxValues: 200_000, maxMs: 60_000 },
  /** Names of things with what is known of each: 5,000 models are about 10 MB. */
  listing: { maxBytes: 32 * megabyte, maxValues: 1_000_000, maxMs: 120_000 },
  /** Rows that a request is for. */
  rows: { maxBytes: 64 * megabyte, maxValues: 1_000_000, maxMs: 600_000 },
} as const satisfies Record<string, ResponseLimits>;

/** Of an answer that is an error no more is read: it is for people. */
export const maxErrorBytes = megabyte;

const byteOrderMark = Buffer.from("\ufeff");
const firstCapacity = 16 * 1024;
/** The largest buffer that is allocated because a server announces that many bytes. */
const maxAnnouncedCapacity = 4 * megabyte;

/**
 * The body as bytes, without a byte order mark in front. Throws AppError "tooLarge", "timeout" or "cutOff". With
 * `isCut`, what goes over the limit is left out instead.
 */
export async function readBody(
  { body, headers }: HttpResponse,
  { maxBytes, maxMs }: ResponseLimits,
  { isCut = false } = {},
): Promise<Buffer> {
  const reader = new InterruptibleReader(body);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader.interrupt();
  }, maxMs);
  // One buffer, not a list of chunks: a server can send each byte as a chunk of its own.
  let bytes: Buffer = Buffer.allocUnsafe(announcedBytes(headers) ?? firstCapacity);
  let size = 0;
  try {
    for (let chunk = await reader.next(); chunk; chunk = await reader.next()) {
      const room = maxBytes - size;
      if (chunk.byteLength > room && !isCut) throw tooLarge(maxBytes);
      const taken = chunk.byteLength > room ? chunk.subarray(0, room) : chunk;
      bytes = withRoomFor(bytes, size, size + taken.byteLength);
      bytes.set(taken, size);
      size += taken.byteLength;
      if (taken !== chunk) break;
    }
  } finally {
    clearTimeout(timer);
    reader.close();
  }
  if (isLate) {
    const message = l10n.t(
      "The server did not finish its answer within {0} s.",
      Math.round(maxMs / 1000),
    );
    throw new AppError("timeout", message);
  }
  const start = bytes.subarray(0, Math.min(size, byteOrderMark.length)).equals(byteOrderMark)
    ? byteOrderMark.length
    : 0;
  return bytes.subarray(start, size);
}

/** The chunks of a body. Throws AppError "timeout" if none comes for `maxSilenceMs`, unless that is 0. */
export async function* readChunks(
  { body }: HttpResponse,
  maxSilenceMs: number,
): AsyncGenerator<Uint8Array, void> {
  const reader = new InterruptibleReader(body);
  let isLate = false;
  const fail = (): void => {
    isLate = true;
    reader.interrupt();
  };
  try {
    for (;;) {
      const timer = maxSilenceMs > 0 ? setTimeout(fail, maxSilenceMs) : undefined;
      const chunk = await reader.next().finally(() => clearTimeout(timer));
      if (!chunk) break;
      yield chunk;
    }
  } finally {
    reader.close();
  }
  if (isLate) throw silent(maxSilenceMs);
}

function silent(ms: number): AppError {
  const message = l10n.t("The server sent nothing for {0} s.", Math.round(ms / 1000));
  return new AppError("timeout", message);
}

/** The size that a server announces: a buffer of that size is not copied into ever larger ones. */
function announcedBytes(headers: HttpResponse["headers"]): number | undefined {
  const announced = Number(headers["content-length"]);
  return announced >= 0 && announced <= maxAnnouncedCapacity ? announced : undefined;
}

/** The buffer, or a larger one with the same first bytes. */
function withRoomFor(bytes: Buffer, size: number, needed: number): Buffer {
  if (needed <= bytes.byteLength) return bytes;
  const larger = Buffer.allocUnsafe(Math.max(needed, 2 * bytes.byteLength));
  larger.set(bytes.subarray(0, size));
  return larger;
}

function tooLarge(maxBytes: number): AppError {
  const limit = `${Math.round(maxBytes / megabyte)} MB`;
  return new AppError("tooLarge", l10n.t("The response is larger than {0}.", limit));
}
