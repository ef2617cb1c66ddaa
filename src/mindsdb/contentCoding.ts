// Answers that come compressed. No request asks for it, and a proxy on the way may do it all the same.
import { pipeline, type Readable, type Transform } from "node:stream";
import zlib from "node:zlib";
import { AppError } from "./errors.ts";

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress(),
};

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
  // The last one was applied last.
  return names.reduceRight((compressed: Readable, name) => {
    const decoder = decoders[name]?.();
    if (!decoder) {
      body.on("error", () => undefined).destroy();
      throw new AppError("badAnswer", `The answer is compressed in a way that was not asked for.`, {
        detail: `content-encoding: ${name}`,
      });
    }
    // Whoever reads hears of a failure from the read.
    return pipeline(compressed, decoder, () => undefined);
  }, body);
}

/** True for what a decompressor says of bytes that are not what the header promised. */
export function isDamaged(code: string): boolean {
  return /^(Z_DATA_ERROR|ERR__ERROR_|ERR_BROTLI|ZSTD_error)/.test(code);
}
