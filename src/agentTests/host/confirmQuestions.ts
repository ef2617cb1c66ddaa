import * as vscode from "vscode";
import { showWarning } from "../../shared/host/notifications.ts";

/** From so many questions on the user is asked first: each of them calls a language model. */
const maxUnaskedQuestions = 100;

/** Asks first if there are many questions. */
export async function confirmQuestions(questions: number): Promise<boolean> {
  if (questions <= maxUnaskedQuestions) return true;
  const ask = vscode.l10n.t("Ask");
  const message = vscode.l10n.t("Ask {0} questions?", questions);
  const detail = vscode.l10n.t(
    "Each question runs an agent's language model, which may cost money.",
  );
  return (await showWarning(message, { modal: true, detail }, ask)) === ask;
}
