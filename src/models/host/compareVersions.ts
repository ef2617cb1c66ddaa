// The comparison of two versions of a model in VS Code's diff editor. Its texts are in the documents' URIs, so that it
// comes back after a reload of the window, also while the server is away.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import type { Model, ModelVersion } from "../../mindsdb/listItems.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { createTextUri } from "../../shared/host/textDocuments.ts";
import type { DescriptionCache } from "../descriptionCache.ts";
import { describeVersion } from "../describeVersion.ts";
import { formatVersion } from "../versionText.ts";

/** A model, and two of its versions. */
interface ComparedVersions {
  ref: ItemRef;
  model: Model;
  versions: readonly [ModelVersion, ModelVersion];
}

/** Shows two versions side by side, with their differences marked. Throws AppError. */
export async function compareVersions(
  { ref, model, versions }: ComparedVersions,
  servers: Pick<ServerAccess, "client">,
  descriptions: DescriptionCache,
): Promise<void> {
  const client = await servers.client(ref.connectionId);
  const uris = await Promise.all(
    versions.map(async (version) => {
      const description = await describeVersion(client, descriptions, { ref, model, version });
      const name = `${ref.name.slice(0, 40)} v${version.version}.txt`;
      return createTextUri(name, formatVersion(description));
    }),
  );
  const [first, second] = versions;
  const title = vscode.l10n.t(
    "{0}: version {1} and version {2}",
    ref.name,
    first.version,
    second.version,
  );
  await vscode.commands.executeCommand("vscode.diff", ...uris, title, { preview: false });
}
