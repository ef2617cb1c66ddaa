// Asks for the address of a server, to add a connection or to change one.
import * as vscode from "vscode";
import { isAppError } from "../../mindsdb/errors.ts";
import { findServer, type FoundServer } from "../../mindsdb/http/findServer.ts";
import {
  defaultPort,
  formatAddress,
  parseAddress,
  type ServerAddress,
} from "../../mindsdb/http/serverAddress.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import { askText, type QuestionFrame } from "../../shared/host/quickInput.ts";
import { networkOptions } from "../../shared/host/settings.ts";

/** Default address of a MindsDB server on this machine. */
export const localAddress = `127.0.0.1:${defaultPort}`;

/** The server that was found; or the address of one that does not answer now, which the user wants to save anyway. */
type AskedServer = FoundServer | { address: ServerAddress; isSilent: true };

interface AddressQuestion extends QuestionFrame {
  value: string;
  log: Log;
  /** Returns why an address cannot be taken, before a server is looked for. */
  refuse?: (address: string) => string | undefined;
}

/** Asks until a MindsDB server answers, or the user presses Enter again where none does. */
export async function askAddress(question: AddressQuestion): Promise<AskedServer | undefined> {
  const { log, refuse, ...frame } = question;
  let server: AskedServer | undefined;
  /** The text that the user was told to accept by pressing Enter again. */
  let doubted: string | undefined;
  await askText({
    ...frame,
    prompt: vscode.l10n.t("The address of a MindsDB server"),
    placeholder: localAddress,
    accept: async (typed, signal) => {
      const isAgain = doubted === typed;
      doubted = typed;
      const text = typed.trim() || localAddress;
      try {
        const address = parseAddress(text);
        const refusal = refuse?.(formatAddress(address));
        if (refusal !== undefined) return refusal;
        const found = await findServer(text, networkOptions(), { signal });
        if (!found.isCertain && !found.wantsGatewayLogin && !isAgain) {
          return vscode.l10n.t("{0} Press Enter again to connect anyway.", doubt());
        }
        server = found;
        return undefined;
      } catch (error) {
        if (signal.aborted) return undefined;
        // An invalid address may contain a password, as in user:password@host.
        if (isAppError(error, "address")) return explainError(error).message;
        log.error(`No connection to ${typed}`, error);
        const { message } = explainError(error, { address: typed });
        if (!isSavedAnyway(error)) return message;
        const address = parseAddress(text);
        if (!isAgain) {
          return vscode.l10n.t(
            "{0} Press Enter again to save {1} anyway.",
            message,
            formatAddress(address),
          );
        }
        server = { address, isSilent: true };
        return undefined;
      }
    },
  });
  return server;
}

/** Whether a server may well be at an address at which none was found: it, or the way to it, is not in order now. */
function isSavedAnyway(error: unknown): boolean {
  return isAppError(
    error,
    "unreachable",
    "timeout",
    "cutOff",
    "proxy",
    "certificate",
    "serverFault",
  );
}

/** Sentence for a server that may not be MindsDB. */
export function doubt(): string {
  return vscode.l10n.t("A web API answers there, but it does not identify itself as MindsDB.");
}
