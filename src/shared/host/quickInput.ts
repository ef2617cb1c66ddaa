// The steps of a dialogue in VS Code's quick input: a text, whose box stays open while it is checked, or one of a few
// choices. Each can go back to the one before it.
import * as vscode from "vscode";
import { escapeLinks } from "../escapeLinks.ts";

/** Given instead of a value when the user pressed Back. */
export const back = Symbol("back");

/** What every question of a dialogue has. */
export interface QuestionFrame {
  title: string;
  /** Where it stands in the dialogue. */
  step?: { now: number; of: number };
  canGoBack?: boolean;
}

export interface TextQuestion extends QuestionFrame {
  prompt: string;
  value?: string;
  placeholder?: string;
  password?: boolean;
  /** Runs on Enter; a returned sentence is shown under the box and keeps it open. The signal fires on Escape. */
  accept?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** Puts the frame around an input that is about to be shown. It stays open when the focus goes elsewhere. */
export function setFrame(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, step, canGoBack = false }: QuestionFrame,
): void {
  input.title = title;
  input.ignoreFocusOut = true;
  if (step) {
    input.step = step.now;
    input.totalSteps = step.of;
  }
  if (canGoBack) input.buttons = [vscode.QuickInputButtons.Back];
}

/** The value, `back`, or undefined when the user closed it. */
export function askText(question: TextQuestion): Promise<string | typeof back | undefined> {
  const box = vscode.window.createInputBox();
  const closed = new AbortController();
  setFrame(box, question);
  box.prompt = escapeLinks(question.prompt);
  box.value = question.value ?? "";
  box.placeholder = question.placeholder ?? "";
  box.password = question.password ?? false;

  return new Promise((resolve) => {
    const finish = (value: string | typeof back | undefined): void => {
      if (closed.signal.aborted) return;
      closed.abort();
      resolve(value);
      // VS Code's window would keep a password in the box's field until somebody else uses it.
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
      box.validationMessage = escapeLinks(problem);
      box.show();
    };
    box.onDidAccept(() => void accept());
    box.onDidChangeValue(() => (box.validationMessage = undefined));
    box.onDidTriggerButton(() => finish(back));
    box.onDidHide(() => finish(undefined));
    box.show();
  });
}

/** One of a few choices, `back`, or undefined when the user closed it. */
export function askChoice<Item extends vscode.QuickPickItem>(
  question: QuestionFrame & { items: readonly Item[]; placeholder?: string },
): Promise<Item | typeof back | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  setFrame(pick, question);
  pick.items = question.items;
  pick.placeholder = question.placeholder ?? "";

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
