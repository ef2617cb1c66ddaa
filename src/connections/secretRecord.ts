// The SecretStorage record of one connection: a list of secrets, each bound to one server.
import type { Credential } from "../mindsdb/http/session.ts";

/** The credential for one server. With username and password only if the user chose to stay signed in. */
export interface ConnectionSecret {
  token?: string;
  cookie?: string;
  username?: string;
  password?: string;
}

/** The server that a secret belongs to; the secret is never sent to another server. */
export interface SecretBinding {
  /** Origin and path, as `formatAddress` writes them. */
  address: string;
  /** Id of the machine, for addresses that mean a different server on each machine. */
  machine?: string;
}

/** Maximum secrets of a connection: one for each of its addresses and machines. */
const maxSecrets = 10;

/** The secret in a stored record that is bound to this server; undefined if there is none or the record is damaged. */
export function findSecret(
  record: string | undefined,
  binding: SecretBinding,
): ConnectionSecret | undefined {
  const found = parseRecord(record).find((entry) => isBoundTo(entry, binding));
  if (!found) return undefined;
  const secret: ConnectionSecret = {};
  for (const name of ["token", "cookie", "username", "password"] as const) {
    const field = found[name];
    if (typeof field === "string") secret[name] = field;
  }
  return secret;
}

/** The part of a secret sent with each request: its token or its cookie; undefined if it has neither. */
export function getCredential(secret: ConnectionSecret | undefined): Credential | undefined {
  if (secret?.token !== undefined) return { token: secret.token };
  if (secret?.cookie !== undefined) return { cookie: secret.cookie };
  return undefined;
}

/** The record with the secret for this server replaced or removed; undefined if the record is then empty. */
export function replaceSecret(
  record: string | undefined,
  binding: SecretBinding,
  secret: ConnectionSecret | undefined,
): string | undefined {
  const others = parseRecord(record).filter(
    // Removes entries without a machine id too, which no machine can use.
    (entry) => !isBoundTo(entry, binding) && !isBoundTo(entry, { address: binding.address }),
  );
  const entries = secret ? [{ ...binding, ...secret }, ...others] : others;
  return entries.length > 0 ? JSON.stringify(entries.slice(0, maxSecrets)) : undefined;
}

type StoredSecret = Record<string, unknown>;

function isBoundTo({ address, machine }: StoredSecret, binding: SecretBinding): boolean {
  return address === binding.address && machine === binding.machine;
}

/** The first version stored one secret, bound to `origin`: that is the whole address where there is no path. */
function parseRecord(text: string | undefined): StoredSecret[] {
  if (text === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return [value]
    .flat()
    .filter((entry: unknown) => typeof entry === "object" && entry !== null)
    .map((entry): StoredSecret => {
      const { origin, ...rest } = entry as StoredSecret;
      return { address: origin, ...rest };
    });
}
