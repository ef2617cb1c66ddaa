// Read-only documents, one for each version of a model, and the comparison of two of them in VS Code's diff editor.
import * as v from "valibot";
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { listModels } from "../../mindsdb/models.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import { itemRef } from "../../shared/itemPage.ts";
import type { DescriptionCache } from "../descriptionCache.ts";
import { describeVersion } from "../describeVersion.ts";
import { formatVersion } from "../versionText.ts";
import { versionScheme } from "./modelIds.ts";

const versionQuery = v.object({ ref: itemRef, version: v.number() });

/** Shows two versions side by side, with their differences marked. */
export async function compareVersions(
  ref: ItemRef,
  [first, second]: [number, number],
): Promise<void> {
  const title = vscode.l10n.t("{0}: version {1} and version {2}", ref.name, first, second);
  const uris = [first, second].map((version) => versionUri(ref, version));
  await vscode.commands.executeCommand("vscode.diff", ...uris, title, { preview: false });
}

function versionUri(ref: ItemRef, version: number): vscode.Uri {
  const { connectionId, project, name } = ref;
  const query = JSON.stringify({ ref: { connectionId, project, name }, version });
  const path = `/${name.replace(/[^\p{L}\p{N} _-]/gu, "_").slice(0, 40)} v${version}.txt`;
  return vscode.Uri.from({ scheme: versionScheme, path, query });
}

/** The text of a document; of a version that cannot be read, the reason. */
export async function readVersionDocument(
  { query }: vscode.Uri,
  servers: ServerAccess,
  descriptions: DescriptionCache,
): Promise<string> {
  const parsed = v.safeParse(versionQuery, JSON.parse(query));
  if (!parsed.success) return "";
  const { ref, version: number } = parsed.output;
  const { connectionId, project, name } = ref;
  try {
    const client = await servers.client(connectionId);
    const model = (await listModels(client, project)).find((one) => one.name === name);
    const version = model?.versions.find((one) => one.version === number);
    if (!model || !version) {
      const message = vscode.l10n.t("{0} has no version {1} in {2}.", name, number, project);
      throw new AppError("notFound", message);
    }
    return formatVersion(await describeVersion(client, descriptions, { ref, model, version }));
  } catch (error) {
    return explainError(error, { connectionId, address: servers.find(connectionId)?.address })
      .message;
  }
}
