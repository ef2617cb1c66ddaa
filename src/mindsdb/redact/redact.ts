// Secrets, with what finds them. Import it from what is loaded later than the extension's start; secrets.ts alone withholds
// texts.
import { copyRedacted, listSecrets } from "./redactJson.ts";
import { redactKnown } from "./secretFinder.ts";
import { redactPatterns } from "./secretPatterns.ts";
import { setRedaction } from "./secrets.ts";

/** Has all Secrets find secrets, also those that were made before. To be called before the first text is redacted. */
export function loadRedaction(): void {
  setRedaction({ redactKnown, redactUnknown: redactPatterns, copyRedacted, listSecrets });
}

// For those that import Secrets from here.
loadRedaction();

export { redactUnknown, Secrets } from "./secrets.ts";
