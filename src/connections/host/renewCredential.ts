// Signs in again with the stored account when a server no longer takes a token or cookie: every restart voids them all.
import { isDeepStrictEqual } from "node:util";
import { isAppError, withoutSecrets } from "../../mindsdb/errors.ts";
import { login, logout } from "../../mindsdb/http/login.ts";
import { formatAddress } from "../../mindsdb/http/serverAddress.ts";
import type { Credential } from "../../mindsdb/http/session.ts";
import type { Transport } from "../../mindsdb/http/transport.ts";
import type { Secrets } from "../../mindsdb/redact/redact.ts";
import type { Log } from "../../shared/host/log.ts";
import { getCredential, type ConnectionSecret } from "../secretRecord.ts";
import type { SecretOwner, SecretStore } from "./secretStore.ts";

interface RenewCredentialOptions {
  owner: SecretOwner;
  transport: Transport;
  secretStore: SecretStore;
  secrets: Secrets;
  /** Secrets whose username and password the server has rejected. */
  refused: WeakSet<ConnectionSecret>;
  /** Whether the user has not been asked yet if the password may be sent over plain http. */
  needsConsent: () => boolean;
  /** Called if another window has signed in or out since. */
  onChanged: () => void;
  log: Log;
}

/**
 * Returns a credential other than `rejected`: one that another window has stored, or that of a new sign-in; undefined if
 * that needs the user. Throws AppError if the server cannot be asked.
 */
export async function renewCredential(
  options: RenewCredentialOptions,
  rejected: Credential | undefined,
): Promise<Credential | undefined> {
  const { owner, secretStore, refused, needsConsent, log } = options;
  const { secret, isNews } = await secretStore.reread(owner);
  if (isNews) options.onChanged();
  const other = getCredential(secret);
  if (other && !isDeepStrictEqual(other, rejected)) return other;
  if (!secret?.username || secret.password === undefined) return undefined;
  // Servers may lock out an account after repeated wrong passwords.
  if (refused.has(secret) || needsConsent()) return undefined;
  const address = formatAddress(owner.address);
  try {
    const credential = await signInAgain(options, secret);
    log.info(`Signed in again at ${address}`);
    return credential;
  } catch (unredacted) {
    const error = withoutSecrets(unredacted, options.secrets);
    log.error(`Signing in again at ${address} failed`, error);
    if (!isAppError(error, "signInRefused")) throw error;
    refused.add(secret);
    return undefined;
  }
}

async function signInAgain(
  { owner, transport, secretStore }: RenewCredentialOptions,
  secret: ConnectionSecret,
): Promise<Credential | undefined> {
  const account = { username: secret.username ?? "", password: secret.password ?? "" };
  const credential = await login(transport, account);
  const now = await secretStore.get(owner);
  if (now !== secret) {
    // The user signed out or in again in the meantime, which takes precedence.
    await logout(transport, credential).catch(() => undefined);
    return getCredential(now);
  }
  await secretStore.set(owner, { ...credential, ...account });
  return credential;
}
