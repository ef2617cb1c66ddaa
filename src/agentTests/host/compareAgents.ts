// `Compare Agents…`: which agents, and which questions.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { isItemRef, isSameItem, type AgentRef } from "../../mindsdb/references.ts";
import { offerConnection } from "../../shared/host/offerConnection.ts";
import { showInformation, showWarning } from "../../shared/host/notifications.ts";
import { askText } from "../../shared/host/quickInput.ts";
import {
  listTestsOfOneAgent,
  maxAgents,
  minAgents,
  type ComparedAgent,
} from "../runs/comparison.ts";
import type { SavedComparison } from "../resultsPage.ts";
import { createTypedTest } from "../runs/createTypedTest.ts";
import type { AgentTest } from "../files/testFile.ts";
import { isTestFile } from "../files/testFileNames.ts";
import { confirmQuestions } from "./confirmQuestions.ts";
import { explainTrust } from "./explainTrust.ts";
import { listAgentItems } from "./agentItems.ts";
import { findTestFiles } from "./files/pickTestFile.ts";
import { pickItem, pickItems } from "../../shared/host/pickItem.ts";
import { openTestDocument } from "./files/openTestDocument.ts";
import { parseTestFile } from "./files/parseTestFile.ts";
import { showError } from "../../shared/host/errorMessages.ts";

export interface ComparisonChoice extends ChosenTests {
  agents: ComparedAgent[];
}

/** The questions, and where they are from. */
interface ChosenTests extends Pick<SavedComparison, "file" | "questions"> {
  tests: AgentTest[];
}

/** `given` is an agent or a test file, or nothing. Undefined if the user closes a question. */
export async function chooseComparison(
  servers: ServerAccess,
  given: unknown,
): Promise<ComparisonChoice | undefined> {
  const title = vscode.l10n.t("Compare Agents");
  if (servers.list().length === 0 && !(await offerConnection(servers))) return undefined;
  const file = given instanceof vscode.Uri && isTestFile(given.path) ? given : undefined;
  const agents = await pickAgents(servers, title, isItemRef(given) ? given : undefined);
  const chosen = agents && (file ? await readTests(file) : await pickTests(title));
  if (!agents || !chosen || chosen.tests.length === 0) return undefined;
  const isAgreed = await confirmQuestions(agents.length * chosen.tests.length);
  return isAgreed ? { agents, ...chosen } : undefined;
}

/** The questions of a comparison that was kept. */
export async function readSavedTests(saved: SavedComparison): Promise<AgentTest[] | undefined> {
  const { file, questions = [] } = saved;
  if (file === undefined) return questions.map(createTypedTest);
  const uri = vscode.Uri.parse(file);
  try {
    return (await readTests(uri))?.tests;
  } catch {
    const name = vscode.workspace.asRelativePath(uri);
    void showWarning(vscode.l10n.t("A comparison could not be restored: {0} can't be read.", name));
    return undefined;
  }
}

async function pickAgents(
  servers: ServerAccess,
  title: string,
  first: AgentRef | undefined,
): Promise<ComparedAgent[] | undefined> {
  const items = listAgentItems(servers).then((all) =>
    all.map((item) => ({ ...item, picked: first !== undefined && isSameItem(first, item.agent) })),
  );
  const picked = await pickItems(items, {
    title,
    placeHolder: vscode.l10n.t("Select {0} to {1} agents", minAgents, maxAgents),
    ignoreFocusOut: true,
  });
  if (!picked) return undefined;
  if (picked.length < minAgents || picked.length > maxAgents) {
    void showInformation(
      vscode.l10n.t("Select {0} to {1} agents to compare.", minAgents, maxAgents),
    );
    return undefined;
  }
  return picked.map(({ label, description, agent }) => {
    const isUnique = picked.filter((other) => other.label === label).length === 1;
    return { ...agent, label: isUnique ? agent.name : `${agent.name} (${description})` };
  });
}

async function pickTests(title: string): Promise<ChosenTests | undefined> {
  const typed = {
    label: vscode.l10n.t("Enter Questions…"),
    iconPath: new vscode.ThemeIcon("edit"),
    uri: undefined,
  };
  const items = (await findTestFiles()).map((uri) => ({
    label: vscode.workspace.asRelativePath(uri),
    iconPath: new vscode.ThemeIcon("beaker"),
    uri,
  }));
  const placeHolder = vscode.l10n.t("The questions to ask");
  const picked =
    items.length === 0 ? typed : await pickItem([typed, ...items], { title, placeHolder });
  if (!picked) return undefined;
  return picked.uri ? openTests(picked.uri) : typeQuestions(title);
}

async function typeQuestions(title: string): Promise<ChosenTests | undefined> {
  const questions: string[] = [];
  for (;;) {
    const question = await askText({
      title,
      prompt:
        questions.length === 0
          ? vscode.l10n.t("The first question")
          : vscode.l10n.t("Next question. Leave empty to start."),
    });
    if (typeof question !== "string") return undefined;
    if (question.trim() === "") return { questions, tests: questions.map(createTypedTest) };
    questions.push(question);
  }
}

/** The questions of a file; shows why it cannot be read. */
function openTests(uri: vscode.Uri): Promise<ChosenTests | undefined> {
  return readTests(uri).catch(async (error: unknown) => {
    await showError(error);
    return undefined;
  });
}

/** The questions of a file. Throws AppError. */
async function readTests(uri: vscode.Uri): Promise<ChosenTests | undefined> {
  if (!vscode.workspace.isTrusted) {
    void explainTrust();
    return undefined;
  }
  const text = (await openTestDocument(uri)).getText();
  const file = await parseTestFile("readTestFile", [text]);
  const tests = listTestsOfOneAgent(file.tests);
  if (tests.length > 0) return { file: uri.toString(), tests };
  void showWarning(
    vscode.l10n.t("{0} has no tests for an agent.", vscode.workspace.asRelativePath(uri)),
  );
  return undefined;
}
