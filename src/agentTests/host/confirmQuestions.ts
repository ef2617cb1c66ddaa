import * as vscode from "vscode";
import type { QuestionPrompt } from "../runs/questionConsent.ts";
import { askConsent } from "../../shared/host/consent.ts";

/** A comparison's agents are picked by the user, who is asked again from so many questions on. */
const maxUnaskedQuestions = 100;

/** Asks first if there are many questions. */
export async function confirmQuestions(questions: number): Promise<boolean> {
  return questions <= maxUnaskedQuestions || askUser({ questions, targets: [] });
}

/** Asks whether questions may be sent, and names who is asked. */
export async function askUser({ questions, targets }: QuestionPrompt): Promise<boolean> {
  const ask = vscode.l10n.t("Ask");
  const message =
    questions === 1
      ? vscode.l10n.t("Ask 1 question?")
      : vscode.l10n.t("Ask {0} questions?", questions);
  const cost = vscode.l10n.t("Each question runs an agent's language model, which may cost money.");
  return (await askConsent(message, [targets, cost], ask)) === ask;
}
