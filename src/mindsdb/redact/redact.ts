// Secrets, with what finds them. Import it from what is loaded later than the extension's start, before the first text is
// redacted; secrets.ts alone withholds texts.
import { copyRedacted, listSecrets } from "./redactJson.ts";
import { redactKnown } from "./secretFinder.ts";
import { redactPatterns } from "./secretPatterns.ts";
import { setRedaction } from "./secrets.ts";

setRedaction({ redactKnown, redactUnknown: redactPatterns, copyRedacted, listSecrets });

export { redactUnknown, Secrets } from "./secrets.ts";
