// Which names stand for secrets, and what is shown in a secret's place. Pages use it too: no Node here.

/** What stands in a secret's place. */
export const mask = "******";

const secretWord =
  "(?:api|access|secret|private|account|auth)[_-]?key|token|secret|password|passphrase|passwd|pwd|authorization|cookie|credentials?";
const secretName = new RegExp(`^(?:${secretWord})$|[_-](?:${secretWord})$`, "i");
/** A name that ends like a secret and is none. */
const harmlessName = /^max[_-]?token$/i;
/** No name of a secret needs more characters to be known as one, and any name may be as long as an answer. */
const maxEnding = 64;

/** True for the name of a field whose value is a secret (`api_key`, `webhook_token`, `openaiApiKey`, `password`). */
export function isSecretKey(name: string): boolean {
  const words = name.slice(-maxEnding).replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_");
  return secretName.test(words) && !harmlessName.test(words);
}
