// Searches for a secret wherever a VS Code window stores or shows something.
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { answerOf } from "./frames.ts";
import type { Workbench } from "./workbench.ts";

/**
 * The places where one of the texts is found in clear: files of the data folder (settings, storage, logs) and of the
 * workspace, the browser's storages (globalState, editor state), and every page that is open. Empty is good.
 */
export async function placesThatHold(workbench: Workbench, texts: string[]): Promise<string[]> {
  const places: string[] = [];
  const look = (place: string, content: string | Buffer) => {
    for (const text of texts) if (content.includes(text)) places.push(`${place} holds ${text}`);
  };
  for (const folder of [workbench.vscode.dataFolder, workbench.folder]) {
    for (const file of filesUnder(folder)) look(file, fs.readFileSync(file));
  }
  for (const [name, content] of Object.entries(await browserStorage(workbench.page))) {
    look(name, content);
  }
  for (const frame of workbench.page.frames()) {
    const contents = frame.evaluate(() => {
      const values = [...document.querySelectorAll("input, textarea")].map(
        (input) => (input as HTMLInputElement).value,
      );
      return [document.documentElement.outerHTML, ...values].join("\n");
    });
    const shown = await answerOf(contents, "");
    look(`page ${frame.url()}`, shown);
  }
  return places;
}

/** An editor group that is not empty: its number of editors, and which one is visible. */
export interface EditorGroup {
  editors: number;
  active: number;
}

/** The editors that VS Code would restore after a reload. */
export interface StoredEditors {
  groups: EditorGroup[];
  /** The state of all editors as one text. */
  editors: string;
  /** The extension's panels that VS Code has stored as open, but without their state yet. */
  panelsWithoutState: number;
  /** All of its storage as one text, but its logs. */
  storage: string;
}

export async function storedEditors(page: Page): Promise<StoredEditors> {
  const everything = Object.entries(await browserStorage(page));
  const kept = everything.filter(([name]) => !name.endsWith("/vscode-logs-store"));
  const storage = kept.map(([, content]) => content).join("\n");
  const line = storage.split("\n").find((value) => value.includes("editorpart.state")) ?? "{}";
  const editors = line.startsWith('"') ? (JSON.parse(line) as string) : line;
  const parsed: unknown = JSON.parse(editors);
  const panelsWithoutState = statesOfPanels(parsed).filter((state) => !state).length;
  return { groups: groupsIn(parsed), editors, panelsWithoutState, storage };
}

/** The state of each panel of the extension; undefined if there is none yet. */
function statesOfPanels(part: unknown): (string | undefined)[] {
  if (typeof part !== "object" || part === null) return [];
  const { editors } = part as { editors?: { value?: string }[] };
  if (!editors) return Object.values(part).flatMap(statesOfPanels);
  return editors
    .map(({ value = "" }) => value)
    .filter((value) => value.includes("mindsdbWorkbench."))
    .map((value) => JSON.parse(value) as { viewType?: string; state?: string })
    .filter(({ viewType }) => viewType?.startsWith("mainThreadWebview-"))
    .map(({ state }) => state);
}

/** The groups in the tree of splits, from left to right. */
function groupsIn(part: unknown): EditorGroup[] {
  if (typeof part !== "object" || part === null) return [];
  const { editors, mru } = part as { editors?: unknown[]; mru?: number[] };
  if (!editors || !mru) return Object.values(part).flatMap(groupsIn);
  return editors.length === 0 ? [] : [{ editors: editors.length, active: mru[0] ?? 0 }];
}

function filesUnder(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Local, session and indexed storage of VS Code's origin, each as one text. */
async function browserStorage(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const found: Record<string, string> = {
      localStorage: JSON.stringify({ ...localStorage }),
      sessionStorage: JSON.stringify({ ...sessionStorage }),
    };
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => {
          resolve(request.result);
        };
        request.onerror = () => {
          reject(request.error ?? new Error("IndexedDB failed"));
        };
      });
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const values = await settled(database.transaction(store).objectStore(store).getAll());
        // Some stores contain bytes: decode them as text.
        const asText = values.map((value: unknown) =>
          value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value),
        );
        found[`indexedDB ${name}/${store}`] = asText.join("\n");
      }
      database.close();
    }
    return found;
  });
}
