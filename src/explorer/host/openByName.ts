// `MindsDB: Open by Name…`, for servers that have no lists.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { defaultProjectName } from "../../mindsdb/projects.ts";
import { pickConnection } from "../../shared/host/newItemTarget.ts";
import { askChoice, askText, back } from "../../shared/host/quickInput.ts";
import { kindIn } from "../openedGroups.ts";
import type { OpenedKind, OpenedName } from "../openedNames.ts";
import type { ExplorerNode } from "../node.ts";
import { kinds } from "./kindTexts.ts";

interface NamedThing extends OpenedName {
  connectionId: string;
}

/** Asks for the parts that the node does not give; undefined when cancelled. */
export async function askForName(
  servers: ServerAccess,
  opened: (connectionId: string) => readonly OpenedName[],
  node?: ExplorerNode,
): Promise<NamedThing | undefined> {
  const title = vscode.l10n.t("Open by Name");
  const connectionId =
    node?.connectionId ?? (await pickConnection(servers, undefined, { title }))?.id;
  if (connectionId === undefined) return undefined;
  const place = getPlace(node);
  const kind = place.kind ?? (await askForKind(title));
  if (kind === undefined) return undefined;
  const project =
    place.project ??
    (await askForText(
      title,
      vscode.l10n.t("The project that contains it"),
      opened(connectionId).at(-1)?.project ?? defaultProjectName,
    ));
  if (project === undefined) return undefined;
  const name = await askForText(title, vscode.l10n.t("The name of the {0}", kinds[kind].name));
  return name === undefined ? undefined : { connectionId, kind, project, name };
}

function getPlace(node: ExplorerNode | undefined): {
  project?: string;
  kind?: OpenedKind | undefined;
} {
  const place = node?.kind === "unlisted" ? node.parent : node;
  if (place?.kind === "project") return { project: place.project };
  return place?.kind === "group" ? { project: place.project, kind: kindIn(place.group) } : {};
}

async function askForKind(title: string): Promise<OpenedKind | undefined> {
  const items = [
    { label: vscode.l10n.t("Agent"), opens: "agent" as const },
    { label: vscode.l10n.t("Knowledge Base"), opens: "knowledgeBase" as const },
    { label: vscode.l10n.t("Model"), opens: "model" as const },
  ].map((item) => ({ ...item, iconPath: new vscode.ThemeIcon(kinds[item.opens].icon) }));
  const picked = await askChoice({
    title,
    placeholder: vscode.l10n.t("What kind of item?"),
    items,
  });
  return picked === back ? undefined : picked?.opens;
}

async function askForText(
  title: string,
  prompt: string,
  value?: string,
): Promise<string | undefined> {
  const typed = await askText({
    title,
    prompt,
    value,
    accept: (text) =>
      Promise.resolve(text.trim() === "" ? vscode.l10n.t("Enter a name.") : undefined),
  });
  return typeof typed === "string" ? typed.trim() : undefined;
}
