// Saved runs: `Save Run…`, and the read-only editor of such files, which replays them without a server.
import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { editors } from "../../ids.ts";
import type { Log } from "../../shared/host/log.ts";
import { Pages } from "../../shared/host/pages.ts";
import { readSmallFile } from "../../shared/host/readFileChunks.ts";
import { oneLine } from "../../shared/oneLine.ts";
import { savedRunEnding } from "../../shared/savedRunEnding.ts";
import { savedRunCalls, type SavedRunCalls } from "../chatPage.ts";
import {
  formatSavedRun,
  maxSavedRunSize,
  parseSavedRun,
  type RunToSave,
  type SavedRun,
} from "../savedRun.ts";
import { exportText } from "./exportText.ts";
import { SavedRunPanel, type SavedRunPanelOptions } from "./savedRunPanel.ts";

/** Asks for a file, and writes a run into it. */
export async function saveRun(
  run: RunToSave,
  redact: (text: string) => string,
  log: Log,
): Promise<void> {
  await exportText(
    {
      title: vscode.l10n.t("Save Run"),
      name: oneLine(run.run.question),
      extension: savedRunEnding.slice(1),
      // VS Code would add an extension with a dot to a name that has it.
      filters: { [vscode.l10n.t("Saved Runs")]: ["json"] },
      format: () => {
        const text = formatSavedRun(run, redact);
        if (Buffer.byteLength(text) > maxSavedRunSize) throw new Error(tooLarge());
        return text;
      },
      formatSuccess: (where) => vscode.l10n.t("Saved the run to {0}.", where),
      formatFailure: (why) => vscode.l10n.t("The run could not be saved: {0}", why),
    },
    log,
  );
}

/** Lets the user pick a file, and opens it. */
export async function pickAndOpenSavedRun(): Promise<void> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t("Open a Saved Run"),
      filters: { [vscode.l10n.t("Saved Runs")]: ["json"] },
    })) ?? [];
  if (uri) await vscode.commands.executeCommand("vscode.openWith", uri, editors.savedRun);
}

/** A file with a run, or why it has none. */
export interface SavedRunDocument extends vscode.CustomDocument {
  content: SavedRun | string;
}

type SavedRunsOptions = Pick<SavedRunPanelOptions, "wholeTexts" | "insertCode" | "log"> & {
  extensionUri: vscode.Uri;
};

export class SavedRuns {
  readonly #options: SavedRunsOptions;
  readonly #panels: Pages<SavedRunCalls, SavedRunPanel>;

  constructor(options: SavedRunsOptions) {
    const { extensionUri, log } = options;
    this.#options = options;
    this.#panels = new Pages({
      viewType: editors.savedRun,
      extensionUri,
      page: "chat",
      icon: "chat",
      calls: savedRunCalls,
      // VS Code itself opens a file's editor again.
      restore: () => undefined,
      log,
    });
  }

  /** Reads a file; what is wrong with it is shown in its editor. */
  async open(uri: vscode.Uri): Promise<SavedRunDocument> {
    const bytes = await readSmallFile(uri, maxSavedRunSize);
    const content = bytes ? parseSavedRun(new TextDecoder().decode(bytes)) : tooLarge();
    return { uri, content, dispose: () => undefined };
  }

  show({ uri, content }: SavedRunDocument, panel: vscode.WebviewPanel): void {
    if (typeof content === "string") {
      panel.webview.html = problemHtml(content);
      return;
    }
    const key = uri.toString();
    this.#panels.connect(key, panel, () => {
      const chatId = createHash("sha256").update(key).digest("hex");
      const title = uri.path.slice(uri.path.lastIndexOf("/") + 1);
      return new SavedRunPanel({ ...this.#options, saved: content, chatId, title });
    });
  }

  find(chatId: string): SavedRunPanel | undefined {
    return this.#panels.contents.find(({ transcript }) => transcript.chatId === chatId);
  }
}

function tooLarge(): string {
  return vscode.l10n.t(
    "The run is larger than {0} MB.",
    (maxSavedRunSize / 1_000_000).toLocaleString(vscode.env.language),
  );
}

/** A page with one sentence: neither scripts nor styles. */
function problemHtml(problem: string): string {
  const text = problem.replace(/[&<>"]/g, (one) => `&#${String(one.charCodeAt(0))};`);
  return `<!DOCTYPE html><html lang="${vscode.env.language}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><title>MindsDB</title></head>
<body><main><p role="alert">${text}</p></main></body></html>`;
}
