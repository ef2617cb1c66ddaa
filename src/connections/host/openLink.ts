// Opens a link to a server, with the credentials that are stored for it. Imported, and undici with it, with the first
// request to any server.
import type { ServerAddress } from "../../mindsdb/http/serverAddress.ts";
import { Client } from "../../mindsdb/http/client.ts";
import { withGatewayLogin } from "../../mindsdb/http/gatewayLogin.ts";
import { Session, type CredentialKeeper } from "../../mindsdb/http/session.ts";
import {
  createTransport,
  type NetworkOptions,
  type Transport,
} from "../../mindsdb/http/transport.ts";
import { mayCost } from "../../mindsdb/sql/asksAgent.ts";
import { findListingUse } from "../../mindsdb/sql/findListingUse.ts";
import type { Observe } from "../../mindsdb/changes/serverChange.ts";
import { SecretsLearner } from "../../mindsdb/redact/learnSecrets.ts";
import { loadRedaction, type Secrets } from "../../mindsdb/redact/redact.ts";
import type { Log } from "../../shared/host/log.ts";
import { getCredential, type ConnectionSecret } from "../secretRecord.ts";
import type { SecretOwner, SecretStore } from "./secretStore.ts";

/** An open link to one server; replaced when its address or the network settings change. */
export interface Link {
  address: ServerAddress;
  transport: Transport;
  client: Client;
}

interface LinkOptions {
  /** The address is the link's, even if the connection's has changed since. */
  owner: SecretOwner;
  network: NetworkOptions;
  secretStore: SecretStore;
  /** Usernames and passwords for web servers in front of MindsDB. */
  gatewayLogins: SecretStore;
  secrets: Secrets;
  /** Secrets whose username and password the server has rejected. */
  refused: WeakSet<ConnectionSecret>;
  /** Whether the user has not been asked yet if the password may be sent over plain http. */
  needsConsent: () => boolean;
  onChanged: () => void;
  observe: Observe;
  /** Read with each request: the protection may change while the client is in use. */
  isReadOnly: () => boolean;
  log: Log;
}

export function openLink(options: LinkOptions): Link {
  loadRedaction();
  const { owner, network, gatewayLogins, secrets, isReadOnly } = options;
  const { address } = owner;
  const transport = withGatewayLogin(createTransport(address, network), () =>
    gatewayLogins.get(owner),
  );
  const learner = new SecretsLearner();
  const observe: Observe = (observation) => {
    learner.observe(observation);
    options.observe(observation);
  };
  const session = new Session(transport, createCredentialKeeper(options, transport));
  return {
    address,
    transport,
    client: new Client(session, secrets, {
      observe,
      isReadOnly,
      mayCost,
      findListingUse,
      learnSecrets: (client) => learner.learn(client),
    }),
  };
}

function createCredentialKeeper(options: LinkOptions, transport: Transport): CredentialKeeper {
  return {
    current: async () => getCredential(await options.secretStore.get(options.owner)),
    renew: async (rejected) => {
      const { renewCredential } = await import("./renewCredential.ts");
      return renewCredential({ ...options, transport }, rejected);
    },
  };
}
