import * as l10n from "@vscode/l10n";
import type { ModelFailure } from "../shared/modelFailure.ts";
import { oneLine } from "../shared/oneLine.ts";

const maxProviderMessageLength = 200;

/** Returns what a language model's failure means, with the provider's message. */
export function formatModelFailure({ kind, status = 0, says }: ModelFailure): string {
  const message = oneLine(says, maxProviderMessageLength);
  switch (kind) {
    case "keyRefused":
      return l10n.t("The language model refused: the API key was not accepted ({0})", status);
    case "modelUnknown":
      return l10n.t("The language model refused: model not found ({0})", status);
    case "rateLimit":
      return l10n.t("The language model refused: rate limit reached ({0})", status);
    case "quota":
      return l10n.t("The language model refused: quota exceeded ({0})", status);
    case "refused":
      return message === ""
        ? l10n.t("The language model refused the request ({0})", status)
        : l10n.t("The language model refused: {0} ({1})", message, status);
    case "failed":
      return message === ""
        ? l10n.t("The language model failed ({0})", status)
        : l10n.t("The language model failed: {0} ({1})", message, status);
    case "unreachable":
      return l10n.t("The server can't reach the language model.");
  }
}
