// The product's client as most tests use it: with a credential that stays as it is, or with none.
import { Client } from "../src/mindsdb/http/client.ts";
import type { Observe } from "../src/mindsdb/changes/serverChange.ts";
import { Secrets } from "../src/mindsdb/redact/redact.ts";
import { Session, type Credential } from "../src/mindsdb/http/session.ts";
import type { Transport } from "../src/mindsdb/http/transport.ts";

/** Creates a client that does not sign in again if its credential becomes invalid. */
export function clientOver(
  transport: Transport,
  {
    credential,
    secrets = new Secrets(),
    observe,
  }: { credential?: Credential | undefined; secrets?: Secrets; observe?: Observe } = {},
): Client {
  const keeper = {
    current: () => Promise.resolve(credential),
    renew: () => Promise.resolve(undefined),
  };
  return new Client(new Session(transport, keeper), secrets, observe);
}
