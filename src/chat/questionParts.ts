// The code in a question, which users write as in Markdown. Nothing else in a question is Markdown.
import { findLanguage, type CodeLanguage } from "../shared/codeColors.ts";
import { nextFence } from "../shared/fenceText.ts";

export interface QuestionPart {
  kind: "text" | "inlineCode" | "codeBlock";
  text: string;
  /** Of a code block; undefined if its fence names none with colors. */
  language?: CodeLanguage | undefined;
}

/** A longer question is one text, in characters: each part is an element, and files of others can have any number. */
const maxFormatted = 50_000;

/** Returns the parts of a question, without the marks of its code and the line breaks around its code blocks. */
export function splitQuestion(question: string): QuestionPart[] {
  if (question.length > maxFormatted) return [{ kind: "text", text: question }];
  const parts: QuestionPart[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  let language: CodeLanguage | undefined;

  const endText = (): void => {
    if (lines.some((line) => line !== "")) parts.push(...splitLine(trimBreaks(lines.join("\n"))));
    lines = [];
  };
  const endBlock = (): void => {
    parts.push({ kind: "codeBlock", text: lines.join("\n"), language });
    lines = [];
  };
  for (const line of question.split("\n")) {
    const next = nextFence(fence, line);
    if (fence === undefined && next !== undefined) {
      endText();
      language = findLanguage(line.trim().slice(next.length).trim());
    } else if (fence !== undefined && next === undefined) endBlock();
    else lines.push(line);
    fence = next;
  }
  if (fence === undefined) endText();
  else endBlock();
  return parts;
}

function splitLine(text: string): QuestionPart[] {
  // Every second piece is what the group matches.
  return text
    .split(/`([^`\n]+)`/)
    .map((piece, at): QuestionPart => ({ kind: at % 2 ? "inlineCode" : "text", text: piece }))
    .filter((part) => part.text !== "");
}

function trimBreaks(text: string): string {
  return text.replace(/^\n+/, "").trimEnd();
}
