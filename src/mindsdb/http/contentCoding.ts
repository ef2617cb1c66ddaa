// Answers that come compressed. No request asks for it, and a proxy on the way may do it all the same.
import * as l10n from "@vscode/l10n";
import { pipeline, type Readable, type Transform } from "node:stream";
import zlib from "node:zlib";
import { AppError } from "../errors.ts";

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  // A window of 8 MB is what senders over HTTP have to do with (RFC 9659); by itself zstd would take 128 MB.
  zstd: () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }),
};

/** Servers and proxies use one; with a proxy behind a proxy there can be two. */
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
    throw unreadable(body, l10n.t("The answer is compressed {0} times over.", names.length), names);
  }
  // The last one was applied last.
  return names.reduceRight((compressed: Readable, name) => {
    const decoder = decoders[name]?.();
    if (!decoder) {
      throw unreadable(body, l10n.t("The answer is compressed in a way that was not asked for."), [
        name,
      ]);
    }
    // Whoever reads hears of a failure from the read.
    return pipeline(compressed, decoder, () => undefined);
  }, body);
}

/** The error for an answer that is given up; closes its socket. */
function unreadable(body: Readable, message: string, names: readonly string[]): AppError {
  body.on("error", () => undefined).destroy();
  const detail = `content-encoding: ${names.join(", ").slice(0, 4_000)}`;
  return new AppError("badAnswer", message, { detail });
}

/** True for what a decompressor says of bytes that are not what the header promised. */
export function isDamaged(code: string): boolean {
  return /^(Z_DATA_ERROR|ERR__ERROR_|ERR_BROTLI|ZSTD_error)/.test(code);
}
