// The product's client as most tests use it: with a credential that stays as it is, or with none.
import { Client, type ClientOptions } from "../src/mindsdb/http/client.ts";
import { listingUse } from "../src/mindsdb/sql/listingUse.ts";
import { Secrets } from "../src/mindsdb/redact/redact.ts";
import { Session, type Credential } from "../src/mindsdb/http/session.ts";
import type { Transport } from "../src/mindsdb/http/transport.ts";

/**
 * Creates a client that does not sign in again if its credential becomes invalid. Without `mayCost` no statement costs
 * money, and without `findListingUse` its text tells what it reads: scripted servers list no agents and no views.
 */
export function clientOver(
  transport: Transport,
  {
    credential,
    secrets = new Secrets(),
    ...options
  }: { credential?: Credential | undefined; secrets?: Secrets } & ClientOptions = {},
): Client {
  const keeper = {
    current: () => Promise.resolve(credential),
    renew: () => Promise.resolve(undefined),
  };
  return new Client(new Session(transport, keeper), secrets, {
    mayCost: () => Promise.resolve(false),
    findListingUse: (_, sql) => Promise.resolve(listingUse(sql)),
    ...options,
  });
}
