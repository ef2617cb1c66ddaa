// VS Code's list to choose from. Its items may have foreign names: VS Code would draw icons in them.
import * as vscode from "vscode";
import { plainLabel } from "../oneLine.ts";

type Items<Item> = readonly Item[] | Promise<readonly Item[]>;
type PickOptions = Omit<vscode.QuickPickOptions, "canPickMany">;

/** Resolves with the chosen item; undefined when closed. */
export async function pickItem<Item extends vscode.QuickPickItem>(
  items: Items<Item>,
  options: PickOptions,
): Promise<Item | undefined> {
  return vscode.window.showQuickPick(plainItems(items), plainOptions(options));
}

/** Resolves with the chosen items; undefined when closed. */
export async function pickItems<Item extends vscode.QuickPickItem>(
  items: Items<Item>,
  options: PickOptions,
): Promise<Item[] | undefined> {
  return vscode.window.showQuickPick(plainItems(items), {
    ...plainOptions(options),
    canPickMany: true,
  });
}

/** The same items, with the texts as VS Code shows them. */
export function toPlainItems<Items extends readonly vscode.QuickPickItem[]>(items: Items): Items {
  for (const item of items) {
    item.label = plainLabel(item.label);
    if (item.description !== undefined) item.description = plainLabel(item.description);
    if (item.detail !== undefined) item.detail = plainLabel(item.detail);
  }
  return items;
}

async function plainItems<Item extends vscode.QuickPickItem>(
  items: Items<Item>,
): Promise<readonly Item[]> {
  return toPlainItems(await items);
}

function plainOptions<Options extends PickOptions>(options: Options): Options {
  const { title, placeHolder } = options;
  return {
    ...options,
    ...(title !== undefined && { title: plainLabel(title) }),
    ...(placeHolder !== undefined && { placeHolder: plainLabel(placeHolder) }),
  };
}
