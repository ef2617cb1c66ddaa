// Logs out of a server. Imported with the first sign-out.
import { withoutSecrets } from "../../mindsdb/errors.ts";
import { logout } from "../../mindsdb/http/login.ts";
import type { Credential } from "../../mindsdb/http/session.ts";
import type { Transport } from "../../mindsdb/http/transport.ts";
import type { Secrets } from "../../mindsdb/redact/redact.ts";
import type { Log } from "../../shared/host/log.ts";

/** A server that cannot be told is in the log only. */
export async function logOut(
  transport: Transport,
  credential: Credential,
  { secrets, log }: { secrets: Secrets; log: Log },
): Promise<void> {
  await logout(transport, credential).catch((error: unknown) => {
    log.error("The server was not told of the sign-out", withoutSecrets(error, secrets));
  });
}
