// Names of secret fields, and the mask. Also used by pages, so without Node modules.

/** Replaces a secret. */
export const mask = "******";

/** Words before `key` in names of secrets. */
const secretKeys =
  "api|access|secret|private|account|auth|consumer|subscription|master|signing|encryption|service[_-]?role|license|" +
  "anthropic|azure|cohere|deepseek|gemini|groq|hugging_?face|mistral|openai";
const secretWord = `(?:${secretKeys})[_-]?keys?|connection[_-]?string|token|secrets?|passwords?|(?:admin|db|proxy|root|smtp|user)[_-]?pass|passphrase|passwd|pwd|authorization|cookie|credentials?`;
/** Libraries write these together with another word: `sslpassword`. */
const joinedWord =
  "passwords?|passwd|passphrase|(?:access|auth|bearer|bot|refresh|session)token|(?:api|app|client|consumer)secret";
const secretName = new RegExp(
  `(?:(?:^|[_-])(?:${secretWord})|(?:${joinedWord}))(?:[_-]?\\d)?$`,
  "i",
);
/** A name that ends like a secret but is not one. */
const harmlessName = /^max[_-]?token$/i;
/** Characters at the end of a name that are checked; names can be as long as an answer. */
const maxEnding = 64;

/** True for the name of a field whose value is a secret (`api_key`, `webhook_token`, `openaiApiKey`, `password`). */
export function isSecretKey(name: string): boolean {
  const words = name
    .slice(-maxEnding)
    .replace(/[ .]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_");
  return secretName.test(words) && !harmlessName.test(words);
}

/** Names that people give to secrets in statements, and servers give to other things. */
const shortSecretName = /(?:^|_)(?:auth|bearer|kennwort|pass|passcode|passwort|pat|pin|pw)$/i;

/** True for the name of a secret in a statement that a user writes. */
export function isSecretKeyInSql(name: string): boolean {
  return isSecretKey(name) || shortSecretName.test(name.slice(-maxEnding));
}
