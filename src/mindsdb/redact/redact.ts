// Secrets, with what finds unknown ones in texts. Import it from what is loaded later than the extension's start, before
// the first text is redacted; secrets.ts alone withholds texts.
import { redactPatterns } from "./secretPatterns.ts";
import { setRedactPatterns } from "./secrets.ts";

setRedactPatterns(redactPatterns);

export { redactUnknown, Secrets } from "./secrets.ts";
