import { sampleConnectionId, type Connection } from "../shared/connection.ts";

/** Whether a connection is the one to the embedded sample server. A preset may have its id. */
export function isSampleConnection({ id, isPreset }: Pick<Connection, "id" | "isPreset">): boolean {
  return id === sampleConnectionId && !isPreset;
}
