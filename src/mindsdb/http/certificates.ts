// The certificate authorities that servers and proxies are checked against.
import * as l10n from "@vscode/l10n";
import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import tls from "node:tls";
import { AppError } from "../errors.ts";

/**
 * Certificate authorities of Node, of the system (if this Node can read them) and of the user's file. Throws AppError
 * "certificate" for a file that adds none: OpenSSL would ignore it without a word.
 */
export function certificates(caFile: string | undefined): string[] {
  const trusted =
    typeof tls.getCACertificates === "function"
      ? [...tls.getCACertificates("default"), ...tls.getCACertificates("system")]
      : [...tls.rootCertificates];
  return caFile ? [...trusted, ...readCertificates(caFile)] : trusted;
}

/** The certificates in a PEM or DER file, as PEM. */
function readCertificates(file: string): string[] {
  let bytes: Buffer;
  try {
    bytes = fs.readFileSync(file);
  } catch (cause) {
    const message = l10n.t("The certificate file {0} can't be read.", file);
    throw new AppError("certificate", message, { cause });
  }
  const text = decode(bytes);
  const blocks = certificateBlocks(text);
  blocks.forEach((block, index) => {
    if (isCertificate(block)) return;
    const message = l10n.t("Certificate {0} in the file {1} is damaged.", index + 1, file);
    throw new AppError("certificate", message);
  });
  if (blocks.length > 0) return blocks;
  if (isCertificate(bytes)) return [new X509Certificate(bytes).toString()];
  const label = /-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(text)?.[1];
  const message =
    label === undefined
      ? l10n.t(
          "The certificate file {0} contains no certificate: it must be a PEM or DER file.",
          file,
        )
      : l10n.t("The certificate file {0} contains no certificate, only this: {1}.", file, label);
  throw new AppError("certificate", message);
}

/** Windows PowerShell writes UTF-16. The first character of PEM is ASCII, so one of its two bytes is 0. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || second === 0) return bytes.toString("utf16le");
  const isBigEndian = (first === 0xfe && second === 0xff) || first === 0;
  return isBigEndian ? new TextDecoder("utf-16be").decode(bytes) : bytes.toString("utf8");
}

/** The PEM blocks of certificates. OpenSSL overlooks one after a byte order mark or blanks. */
function certificateBlocks(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  return lines
    .join("\n")
    .split("-----BEGIN ")
    .flatMap((part) => {
      const label = /^((?:X509 |TRUSTED )?CERTIFICATE)-----/.exec(part)?.[1];
      if (label === undefined) return [];
      const end = `-----END ${label}-----`;
      const at = part.indexOf(end);
      return [`-----BEGIN ${at < 0 ? part : part.slice(0, at + end.length)}\n`];
    });
}

function isCertificate(certificate: string | Buffer): boolean {
  try {
    return new X509Certificate(certificate).raw.length > 0;
  } catch {
    return false;
  }
}
