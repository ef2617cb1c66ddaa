// Decompresses answers. No request asks for compression, but proxies may compress anyway.
import * as l10n from "@vscode/l10n";
import { pipeline, type Readable, type Transform } from "node:stream";
import zlib from "node:zlib";
import { AppError } from "../errors.ts";

const decoders = new Map<string, () => Transform>([
  ["gzip", () => zlib.createGunzip()],
  ["x-gzip", () => zlib.createGunzip()],
  ["deflate", () => zlib.createInflate()],
  ["br", () => zlib.createBrotliDecompress()],
  // A window of 8 MB is what senders over HTTP have to do with (RFC 9659); by itself zstd would take 128 MB.
  [
    "zstd",
    () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }),
  ],
]);

/** Maximum codings: one by the server or a proxy, two with two proxies. */
const maxCodings = 2;

/** True for an answer that has no body, whatever its headers say of one. */
export function isEmpty(status: number, length: string | string[] | undefined): boolean {
  return status === 204 || length === "0";
}

/**
 * The body as it was before it was compressed, piece by piece; destroying what comes back closes the socket too.
 * `coding` is the header `content-encoding`. Throws AppError "badAnswer" for one that nobody can read.
 */
export function decompressed(body: Readable, coding: string | string[] | undefined): Readable {
  const names = String(coding ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > maxCodings) {
    throw unreadable(
      body,
      l10n.t("The response has {0} layers of compression.", names.length),
      names,
    );
  }
  // Codings are listed in the order in which they were applied.
  return names.reduceRight((compressed: Readable, name) => {
    const decoder = decoders.get(name)?.();
    if (!decoder) {
      throw unreadable(
        body,
        l10n.t("The response uses a compression method that was not requested."),
        [name],
      );
    }
    // Errors reach the reader through its read.
    return pipeline(compressed, decoder, () => undefined);
  }, body);
}

/** Closes the socket of an answer that cannot be read, and returns the error. */
function unreadable(body: Readable, message: string, names: readonly string[]): AppError {
  body.on("error", () => undefined).destroy();
  const detail = `content-encoding: ${names.join(", ").slice(0, 4_000)}`;
  return new AppError("badAnswer", message, { detail });
}

/** True for a decompressor's error about invalid data. */
export function isDamaged(code: string): boolean {
  return /^(Z_DATA_ERROR|ERR__ERROR_|ERR_BROTLI|ZSTD_error)/.test(code);
}
