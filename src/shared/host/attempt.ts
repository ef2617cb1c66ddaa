// Runs what commands do on a connection.
import type { ServerAccess } from "../connection.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { Log } from "./log.ts";

/** Runs `work`; logs and shows its error. `what` names it in the log. */
export async function attempt(
  { servers, log }: { servers: Pick<ServerAccess, "find">; log: Log },
  what: string,
  connectionId: string | undefined,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    // The user has forbidden changes.
    if (!isAppError(error, "readOnly")) log.error(`${what} failed`, error);
    const address = connectionId === undefined ? undefined : servers.find(connectionId)?.address;
    const { showError } = await import("./errorMessages.ts");
    await showError(error, { connectionId, address });
  }
}
