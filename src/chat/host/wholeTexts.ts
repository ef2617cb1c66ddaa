// Texts of a conversation in an editor: SQL to work on, everything else to read.
import * as vscode from "vscode";
import type { TextRef } from "../messages.ts";
import type { StepPart } from "../../mindsdb/stream/steps.ts";
import type { Transcript } from "../transcript.ts";

const scheme = "mindsdb-workbench-chat";

/** The whole text that a page refers to; undefined if the conversation has none such. */
export function wholeText(
  { runs }: Transcript,
  ref: TextRef,
): { kind: StepPart["kind"] | "answer"; text: string } | undefined {
  const run = runs.find(({ id }) => id === ref.run);
  if (ref.of === "part") return run?.steps[ref.step]?.parts[ref.part];
  return run?.answer && { kind: "answer", text: run.answer.text };
}

export class WholeTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #find: (chatId: string) => Promise<Transcript | undefined>;
  readonly #registration: vscode.Disposable;

  /** `find` gives a conversation, open or not: a document may come back after a reload. */
  constructor(find: (chatId: string) => Promise<Transcript | undefined>) {
    this.#find = find;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  async open(transcript: Transcript, ref: TextRef): Promise<void> {
    const found = wholeText(transcript, ref);
    if (!found) return;
    // VS Code takes some seconds for a document of 16 MB.
    const location = vscode.ProgressLocation.Window;
    await vscode.window.withProgress(
      { location, title: vscode.l10n.t("Opening the text") },
      async () => {
        const document =
          found.kind === "sql"
            ? await vscode.workspace.openTextDocument({ language: "sql", content: found.text })
            : await vscode.workspace.openTextDocument(uri(transcript, ref, found.kind));
        await vscode.window.showTextDocument(document, { preview: true });
      },
    );
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string | undefined> {
    const { chatId, ref } = JSON.parse(query) as { chatId: string; ref: TextRef };
    const transcript = await this.#find(chatId);
    return transcript && wholeText(transcript, ref)?.text;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

function uri({ chatId, agent }: Transcript, ref: TextRef, kind: string): vscode.Uri {
  // A name of ours: an agent's may hold anything.
  const name = agent.name.replace(/[^\p{L}\p{N} _-]/gu, "_").slice(0, 40);
  const path = `/${name} ${kind}.${kind === "raw" ? "json" : "txt"}`;
  return vscode.Uri.from({ scheme, path, query: JSON.stringify({ chatId, ref }) });
}
