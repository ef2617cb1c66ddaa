import type { KnownModels } from "./knownModels.ts";
import type { KnownTables } from "./knownTables.ts";
import type { PredictOptions } from "./predictOptions.ts";

/** Forgets names that may have changed on a server, and calls `onForget` when problems may be others. */
export function forgetChangedNames(
  servers: PredictOptions["servers"],
  models: KnownModels,
  tables: KnownTables,
  onForget: () => void,
): { dispose(): void }[] {
  return [
    // Signed in, restarted, or at another address: the server may be able to answer now.
    servers.onDidChange((connectionId) => {
      models.forget(connectionId);
      tables.forget(connectionId);
      onForget();
    }),
    servers.onDidChangeServer((change) => {
      if (change.kind !== "changed") return;
      if (change.list === "agents" || change.list === "knowledgeBases" || change.list === "jobs") {
        tables.forget(change.connectionId);
      }
      if (!["models", "projects", "tables"].includes(change.list)) return;
      if (change.list !== "tables") models.forget(change.connectionId);
      if (change.list !== "models") tables.forget(change.connectionId);
      onForget();
    }),
  ];
}
