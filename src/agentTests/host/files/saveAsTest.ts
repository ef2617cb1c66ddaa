// `Save as Test…`: a run of a conversation becomes a test in a file.
import * as vscode from "vscode";
import type { AgentRun, Transcript } from "../../../chat/transcript.ts";
import { showInformation, showWarning } from "../../../shared/host/notifications.ts";
import { writeFile } from "../../../shared/host/writeFile.ts";
import { plainLabel } from "../../../shared/oneLine.ts";
import type { NewTest } from "../../files/addTest.ts";
import {
  describeSuggestion,
  suggestAssertions,
  type SuggestedAssertion,
} from "../../files/suggestAssertions.ts";
import { findTestFiles } from "./pickTestFile.ts";
import { replaceText } from "./replaceText.ts";
import { pickItem, pickItems } from "../../../shared/host/pickItem.ts";
import { pickNewTestFile } from "./newTestFile.ts";
import { openTestDocument } from "./openTestDocument.ts";
import { parseTestFile } from "./parseTestFile.ts";

const maxLabelLength = 120;

/** Lets the user pick a run, what to expect of later ones, and the file; shows the test in it. */
export async function saveAsTest({ agent, runs }: Transcript): Promise<void> {
  const title = vscode.l10n.t("Save as Test");
  const run = await pickRun(title, runs);
  const assertions = run && (await pickAssertions(title, run));
  if (!run || !assertions) return;
  const test: NewTest = { agent, question: run.question, assertions };
  const file = await pickFile(title, test);
  if (!file) return;
  const text = await parseTestFile("addTest", [file.text, test]);
  if (text === undefined) {
    void showWarning(
      vscode.l10n.t(
        "The test can't be added: the question or the file has templates other than {0}.",
        "{{question}}",
      ),
    );
    return;
  }
  await showTest(file, text);
}

async function pickRun(title: string, runs: readonly AgentRun[]): Promise<AgentRun | undefined> {
  const answered = runs.filter((run) => suggestAssertions(run).length > 0).toReversed();
  const [newest] = answered;
  if (answered.length > 1) {
    const picked = await pickItem(
      answered.map((run) => ({ label: plainLabel(run.question, maxLabelLength), run })),
      { title, placeHolder: vscode.l10n.t("Select a question") },
    );
    return picked?.run;
  }
  if (!newest) void showInformation(vscode.l10n.t("There is no answer yet to create a test from."));
  return newest;
}

async function pickAssertions(
  title: string,
  run: AgentRun,
): Promise<SuggestedAssertion[] | undefined> {
  const items = suggestAssertions(run).map((assertion) => ({
    label: plainLabel(describeSuggestion(assertion), maxLabelLength),
    picked: assertion.isLikely,
    assertion,
  }));
  const picked = await pickItems(items, {
    title,
    placeHolder: vscode.l10n.t("Which checks should future answers pass?"),
  });
  return picked?.map(({ assertion }) => assertion);
}

interface TestFileTarget {
  uri: vscode.Uri;
  /** Empty for a new file. */
  text: string;
}

/** A file of the workspace with tests for this agent, or a new one. */
async function pickFile(title: string, { agent }: NewTest): Promise<TestFileTarget | undefined> {
  const files = await findFiles(agent);
  const newFile = {
    label: vscode.l10n.t("New File…"),
    iconPath: new vscode.ThemeIcon("new-file"),
    file: undefined,
  };
  const items = files.map((file) => ({
    label: vscode.workspace.asRelativePath(file.uri),
    iconPath: new vscode.ThemeIcon("beaker"),
    file,
  }));
  const picked =
    items.length === 0
      ? newFile
      : await pickItem([...items, newFile], {
          title,
          placeHolder: vscode.l10n.t("The file for the test"),
        });
  if (picked !== newFile) return picked?.file;
  const uri = await pickNewTestFile(title, agent);
  return uri && { uri, text: "" };
}

async function findFiles(agent: NewTest["agent"]): Promise<TestFileTarget[]> {
  const files: TestFileTarget[] = [];
  for (const uri of await findTestFiles()) {
    // A link out of the workspace is not offered: the test would be written to where it leads.
    const text = await openTestDocument(uri).then(
      (document) => document.getText(),
      () => "",
    );
    // A file that cannot be read is not offered.
    const file = await parseTestFile("readTestFile", [text]).catch(() => undefined);
    const isOfAgent = file?.tests.some(
      (test) =>
        test.agent.kind === "agent" &&
        test.agent.project === agent.project &&
        test.agent.name === agent.name,
    );
    if (isOfAgent) files.push({ uri, text });
  }
  return files;
}

/** Changes the document of an open file, so that its unsaved changes stay, and shows the end. */
async function showTest({ uri, text: before }: TestFileTarget, text: string): Promise<void> {
  if (before === "") {
    await writeFile(uri, text);
  }
  const document = await openTestDocument(uri);
  if (before !== "") await replaceText(document, text);
  const last = document.positionAt(document.getText().trimEnd().length);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(last, last) });
}
