// Steps of a dialog in VS Code's quick input: text with validation, or a choice. Each step can go back.
import * as vscode from "vscode";
import { plainLabel } from "../oneLine.ts";
import { toPlainItems } from "./pickItem.ts";

/** Returned when the user pressed Back. */
export const back = Symbol("back");

/** Common options of a dialog's steps. */
export interface QuestionFrame {
  title: string;
  step?: { now: number; of: number };
  canGoBack?: boolean;
}

interface TextQuestion extends QuestionFrame {
  prompt: string;
  value?: string;
  placeholder?: string;
  password?: boolean;
  /** Validates on Enter: a returned sentence is shown and keeps the box open. The signal fires on Escape. */
  accept?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** Sets title, step and Back button. The input stays open when it loses the focus. */
export function setFrame(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, step, canGoBack = false }: QuestionFrame,
): void {
  input.title = plainLabel(title);
  input.ignoreFocusOut = true;
  if (step) {
    input.step = step.now;
    input.totalSteps = step.of;
  }
  if (canGoBack) input.buttons = [vscode.QuickInputButtons.Back];
}

/** Resolves with the text, `back`, or undefined when closed. */
export function askText(question: TextQuestion): Promise<string | typeof back | undefined> {
  const box = vscode.window.createInputBox();
  const closed = new AbortController();
  setFrame(box, question);
  box.prompt = plainLabel(question.prompt);
  box.value = question.value ?? "";
  box.placeholder = plainLabel(question.placeholder ?? "");
  box.password = question.password ?? false;

  return new Promise((resolve) => {
    const finish = (value: string | typeof back | undefined): void => {
      if (closed.signal.aborted) return;
      closed.abort();
      resolve(value);
      // VS Code keeps the value in the shared input until its next use.
      box.value = "";
      box.hide();
      setTimeout(() => box.dispose(), 0);
    };
    const accept = async (): Promise<void> => {
      if (box.busy) return;
      const value = box.value;
      box.busy = true;
      box.enabled = false;
      box.validationMessage = undefined;
      const problem = await question.accept?.(value, closed.signal);
      if (closed.signal.aborted) return;
      if (problem === undefined) return finish(value);
      box.busy = false;
      box.enabled = true;
      box.validationMessage = plainLabel(problem);
      box.show();
    };
    box.onDidAccept(() => void accept());
    box.onDidChangeValue(() => (box.validationMessage = undefined));
    box.onDidTriggerButton(() => finish(back));
    box.onDidHide(() => finish(undefined));
    box.show();
  });
}

/** Resolves with the chosen item, `back`, or undefined when closed. */
export function askChoice<Item extends vscode.QuickPickItem>(
  question: QuestionFrame & { items: readonly Item[]; placeholder?: string },
): Promise<Item | typeof back | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  setFrame(pick, question);
  pick.items = toPlainItems(question.items);
  pick.placeholder = plainLabel(question.placeholder ?? "");

  return new Promise((resolve) => {
    const finish = (value: Item | typeof back | undefined): void => {
      resolve(value);
      pick.dispose();
    };
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item) finish(item);
    });
    pick.onDidTriggerButton(() => finish(back));
    pick.onDidHide(() => finish(undefined));
    pick.show();
  });
}
