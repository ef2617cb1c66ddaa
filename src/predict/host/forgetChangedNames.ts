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
      if (change.kind !== "changed" || change.list === "queries") return;
      if (["models", "projects"].includes(change.list)) models.forget(change.connectionId);
      // The lists of what is in projects and data sources, also of models and views.
      tables.forget(change.connectionId);
      onForget();
    }),
  ];
}
