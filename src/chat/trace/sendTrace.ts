// Sends an encoded trace to a collector: OTLP over HTTP.
import * as l10n from "@vscode/l10n";
import { AppError } from "../../mindsdb/errors.ts";
import { formatAddress, type ServerAddress } from "../../mindsdb/http/serverAddress.ts";
import { readBody, responseLimits } from "../../mindsdb/http/responseBody.ts";
import {
  createTransport,
  type HttpResponse,
  type NetworkOptions,
} from "../../mindsdb/http/transport.ts";
import { oneLine } from "../../shared/oneLine.ts";
import { readPartialSuccess } from "./partialSuccess.ts";

/** For the answer, in ms. */
const defaultLimit = 15_000;
const tracesPath = "/v1/traces";

/**
 * Reads a collector's address, with or without `/v1/traces`; unlike a server's it needs a scheme, so that traces go over
 * plain http only where the user wrote that. Throws AppError "address".
 */
export function parseCollector(text: string): ServerAddress {
  const typed = text.trim();
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    const message = l10n.t(
      "Enter the collector's address, such as http://127.0.0.1:4318, with http:// or https:// and without a username or password.",
    );
    throw new AppError("address", message);
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  return { origin: url.origin, prefix: path.endsWith(tracesPath) ? path : path + tracesPath };
}

/** Headers that are part of the request itself. */
const ownHeaders = /^(host|connection|content-.*|transfer-encoding)$/;

/** Reads a header as a user types it, `name: value`; undefined if it is none. */
export function parseHeader(text: string): [name: string, value: string] | undefined {
  const [, name = "", value = ""] =
    /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*([!-~][ -~]*)$/.exec(text) ?? [];
  if (name === "" || ownHeaders.test(name.toLowerCase())) return undefined;
  return [name.toLowerCase(), value.trimEnd()];
}

interface Sending {
  network: NetworkOptions;
  signal: AbortSignal;
  timeoutMs?: number;
  /** One that the collector wants, such as an API key. */
  header?: [name: string, value: string] | undefined;
}

/**
 * Resolves with what the collector says although it took everything. Rejects with AppError, whose status is 200 if the
 * collector took only a part, or with the signal's reason.
 */
export async function sendTrace(
  collector: ServerAddress,
  trace: Uint8Array,
  { network, signal, timeoutMs = defaultLimit, header }: Sending,
): Promise<string | undefined> {
  const transport = createTransport(collector, network);
  try {
    const response = await transport.send({
      method: "POST",
      path: "",
      // Phoenix refuses a charset after it.
      headers: {
        ...(header && { [header[0]]: header[1] }),
        "content-type": "application/x-protobuf",
      },
      body: trace,
      timeoutMs,
      signal,
    });
    const { status } = response;
    if (status >= 200 && status < 300) return await readOutcome(response, header?.[1]);
    const message = l10n.t(
      "{0} did not accept the trace (HTTP {1}).",
      formatAddress(collector),
      status,
    );
    throw new AppError(status < 500 ? "refused" : "serverFault", message, { status });
  } finally {
    await transport.close();
  }
}

/** Of a collector's own words, in characters. */
const maxWords = 300;

async function readOutcome(response: HttpResponse, secret = ""): Promise<string | undefined> {
  // The trace has arrived, whatever becomes of the rest of the answer.
  const body = await readBody(response, responseLimits.small).catch(() => Buffer.alloc(0));
  const { rejectedSpans = 0, message = "" } = readPartialSuccess(body) ?? {};
  const parts = secret.split(" ").filter(({ length }) => length > 6);
  const words = oneLine(
    parts.reduce((text, part) => text.replaceAll(part, "******"), message),
    maxWords,
  );
  if (rejectedSpans === 0) return words || undefined;
  throw new AppError("refused", explainRejection(rejectedSpans, words), { status: 200 });
}

function explainRejection(spans: number, words: string): string {
  if (words === "") {
    return spans === 1
      ? l10n.t("The collector refused 1 span.")
      : l10n.t("The collector refused {0} spans.", spans);
  }
  return spans === 1
    ? l10n.t("The collector refused 1 span: {0}", words)
    : l10n.t("The collector refused {0} spans: {1}", spans, words);
}
