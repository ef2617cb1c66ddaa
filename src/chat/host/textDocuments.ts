// Read-only documents with texts of a conversation, including raw events.
import * as vscode from "vscode";
import { chatTextScheme, fileSystems, sqlLanguage } from "../../ids.ts";
import { showInformation } from "../../shared/host/notifications.ts";
import type { TextRef } from "../chatPage.ts";
import type { StepPart } from "../../mindsdb/stream/stepEvents.ts";
import { formatRun } from "../conversationMarkdown.ts";
import { ChatTextFormatter } from "../chatTextFormatter.ts";
import { findRun, listVersions, type AgentRun, type Transcript } from "../transcript.ts";
import { toFileName } from "../../shared/files/fileName.ts";
import { withStatusBar } from "../../shared/host/withCancelButton.ts";

/** A run of a conversation. */
export interface ComparedRun {
  transcript: Transcript;
  run: AgentRun;
}

/** Returns the whole text that a page refers to; undefined if there is none. */
export function wholeText(
  transcript: Transcript,
  ref: TextRef,
): { kind: StepPart["kind"] | "answer"; text: string } | undefined {
  const run = findRun(transcript, ref.run);
  switch (ref.of) {
    case "part":
      return run?.steps[ref.step]?.parts[ref.part];
    case "answer":
      return run?.answer && { kind: "answer", text: run.answer.text };
    case "events":
      // Raw events are not part of the transcript.
      return undefined;
  }
}

export class WholeTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #find: (chatId: string) => Promise<Transcript | undefined>;
  readonly #events: (chatId: string, run: number) => Promise<string | undefined>;
  readonly #registration: vscode.Disposable;

  /**
   * `find` returns any stored conversation, because compared answers come back after a reload. `events` returns a run's
   * raw events, if they are stored.
   */
  constructor(
    find: (chatId: string) => Promise<Transcript | undefined>,
    events: (chatId: string, run: number) => Promise<string | undefined>,
  ) {
    this.#find = find;
    this.#events = events;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(chatTextScheme, this);
  }

  async open(transcript: Transcript, ref: TextRef): Promise<void> {
    if (ref.of === "events") {
      await this.#openEvents(transcript, ref);
      return;
    }
    const found = wholeText(transcript, ref);
    if (!found) return;
    // VS Code needs some seconds for a document of 16 MB.
    await withStatusBar(vscode.l10n.t("Opening the text"), async () => {
      const document = await vscode.workspace.openTextDocument(uri(transcript, ref, found.kind));
      const isSql = found.kind === "sql" && document.languageId !== sqlLanguage;
      // Other extensions claim .sql files for their dialects.
      const shown = isSql
        ? await vscode.languages.setTextDocumentLanguage(document, sqlLanguage)
        : document;
      await vscode.window.showTextDocument(shown, { preview: true });
    });
  }

  /** Shows the differences of two runs: questions, answers, steps and statements. */
  async compare(one: ComparedRun, other: ComparedRun): Promise<void> {
    const [left, right] = [one, other].map(({ transcript, run }) => {
      const { chatId, agent } = transcript;
      // A running run needs a new document each time, because VS Code reads each only once.
      const steps = run.steps.length;
      const query = JSON.stringify({ chatId, run: run.id, steps, state: run.state });
      return vscode.Uri.from({
        scheme: fileSystems.answers,
        path: `/${toFileName(`${agent.name} ${run.question}`)} ${String(runNumber(transcript, run.id))}.md`,
        query,
      });
    });
    const names = [one, other].map(({ transcript: { agent } }) => agent.name);
    const title =
      names[0] === names[1]
        ? vscode.l10n.t("Two answers of {0}", names[0] ?? "")
        : vscode.l10n.t("Answers of {0} and {1}", ...names);
    await vscode.commands.executeCommand("vscode.diff", left, right, title);
  }

  /** The text of one side of a comparison: a whole run as Markdown. */
  async readComparedRun({ query }: vscode.Uri): Promise<string | undefined> {
    const { chatId, run: id } = JSON.parse(query) as { chatId: string; run: number };
    const transcript = await this.#find(chatId);
    const run = transcript && findRun(transcript, id);
    const formatter = new ChatTextFormatter(vscode.env.language);
    return run && formatRun(run, formatter, { isCompared: true });
  }

  async #openEvents(transcript: Transcript, ref: TextRef): Promise<void> {
    const { chatId, agent } = transcript;
    const events = await this.#events(chatId, ref.run);
    if (events === undefined) {
      const message = vscode.l10n.t("The raw events of this answer are no longer available.");
      void showInformation(message);
      return;
    }
    // A running run needs a new document each time, because VS Code reads each only once.
    const { length } = events;
    const query = JSON.stringify({ chatId, ref, length });
    const path = `/${toFileName(agent.name)} events ${String(runNumber(transcript, ref.run))}.txt`;
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme: chatTextScheme, path, query }),
    );
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string | undefined> {
    const { chatId, ref } = JSON.parse(query) as { chatId: string; ref: TextRef };
    if (ref.of === "events") return this.#events(chatId, ref.run);
    const transcript = await this.#find(chatId);
    return transcript && wholeText(transcript, ref)?.text;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

function uri({ chatId, agent }: Transcript, ref: TextRef, kind: string): vscode.Uri {
  const endings: Record<string, string> = { raw: "json", sql: "sql" };
  const path = `/${toFileName(agent.name)} ${kind}.${endings[kind] ?? "txt"}`;
  return vscode.Uri.from({ scheme: chatTextScheme, path, query: JSON.stringify({ chatId, ref }) });
}

/** Returns a run's number in its conversation, from 1. Ids are only ordered. */
function runNumber({ runs }: Transcript, id: number): number {
  return runs.flatMap(listVersions).filter((run) => run.id <= id).length;
}
