// Completion, hover, and quick fixes of the keys and assertion types of test files.
import * as vscode from "vscode";
import { plainLabel, visibleLine } from "../../../shared/oneLine.ts";
import { assertionTypeNames, splitType } from "../../checks/assertionTypes.ts";
import {
  describeAssertionType,
  describeKey,
  findMapKind,
  listOfferedKeys,
} from "../../files/testFileKeys.ts";
import { testFileGlob } from "../../files/testFileNames.ts";
import { createTestFileSnippet } from "../../files/testFileSnippet.ts";
import { findYamlPlace } from "../../files/yamlPlace.ts";
import type { TestProblems } from "./testProblems.ts";

const selector = { pattern: testFileGlob };
/** Keys whose values are maps or lists, which begin on the next line. */
const parentKeys = new Set([
  "tests",
  "defaultTest",
  "evaluateOptions",
  "vars",
  "assert",
  "options",
  "config",
]);

/** Registers them until the result is disposed. */
export function registerKeyCompletion(problems: TestProblems): vscode.Disposable {
  const { QuickFix } = vscode.CodeActionKind;
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(selector, { provideCompletionItems }, " "),
    vscode.languages.registerHoverProvider(selector, { provideHover }),
    vscode.languages.registerCodeActionsProvider(
      selector,
      {
        provideCodeActions: ({ uri }, _range, { diagnostics }) =>
          diagnostics.flatMap((diagnostic) => {
            const suggestion = problems.findSuggestion(uri, diagnostic);
            return suggestion === undefined ? [] : [createFix(uri, diagnostic, suggestion)];
          }),
      },
      { providedCodeActionKinds: [QuickFix] },
    ),
  );
}

function createFix(
  uri: vscode.Uri,
  diagnostic: vscode.Diagnostic,
  suggestion: string,
): vscode.CodeAction {
  const title = vscode.l10n.t("Change to {0}", suggestion);
  const fix = new vscode.CodeAction(visibleLine(title, 500), vscode.CodeActionKind.QuickFix);
  fix.edit = new vscode.WorkspaceEdit();
  fix.edit.replace(uri, diagnostic.range, suggestion);
  fix.diagnostics = [diagnostic];
  fix.isPreferred = true;
  return fix;
}

function linesUntil(document: vscode.TextDocument, end: vscode.Position): string[] {
  return document.getText(new vscode.Range(new vscode.Position(0, 0), end)).split(/\r?\n/);
}

function provideCompletionItems(
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionItem[] {
  const { path, key, written } = findYamlPlace(linesUntil(document, position));
  const kind = findMapKind(path);
  if (kind === undefined || !/^[\w:-]*$/.test(written)) return [];
  const range = new vscode.Range(position.translate(0, -written.length), position);
  if (kind === "assertion" && key === "type") return completeTypes(range);
  if (key !== undefined) return [];
  const hasDash = /^\s*-\s/.test(document.lineAt(position).text);
  const isList = path.at(-1) === "tests" || path.at(-1) === "assert";
  return [
    ...listOfferedKeys(kind).map((name) => {
      const item = new vscode.CompletionItem(plainLabel(name), vscode.CompletionItemKind.Property);
      item.insertText = parentKeys.has(name) ? `${name}:` : `${name}: `;
      item.documentation = describeKey(kind, name);
      item.range = range;
      return item;
    }),
    ...(isList ? completeSnippets(kind, hasDash ? "" : "- ", range) : []),
    ...(kind === "file" && isEmptyExcept(document, position.line) ? [completeFile(range)] : []),
  ];
}

/** Whether the other lines of a document contain only comments. */
function isEmptyExcept(document: vscode.TextDocument, line: number): boolean {
  for (let at = 0; at < document.lineCount; at++) {
    if (at !== line && !/^\s*(#|$)/.test(document.lineAt(at).text)) return false;
  }
  return true;
}

function completeFile(range: vscode.Range): vscode.CompletionItem {
  const label = vscode.l10n.t("Test File for an Agent");
  const item = new vscode.CompletionItem(plainLabel(label), vscode.CompletionItemKind.Snippet);
  item.insertText = new vscode.SnippetString(createTestFileSnippet());
  item.range = range;
  item.filterText = "providers test file";
  item.sortText = "!";
  return item;
}

function completeTypes(range: vscode.Range): vscode.CompletionItem[] {
  const inverse = assertionTypeNames
    .filter((name) => name !== "javascript")
    .map((name) => `not-${name}`);
  return [...assertionTypeNames, "assert-set", ...inverse].map((name) => {
    const item = new vscode.CompletionItem(plainLabel(name), vscode.CompletionItemKind.EnumMember);
    item.documentation = describeType(name);
    item.range = range;
    // The opposites come last.
    item.sortText = `${name.startsWith("not-") ? "1" : "0"}${name}`;
    return item;
  });
}

/** A whole test or assertion; VS Code indents the lines after the first. */
function completeSnippets(
  kind: string,
  dash: string,
  range: vscode.Range,
): vscode.CompletionItem[] {
  const isTest = kind === "test";
  const label = isTest ? vscode.l10n.t("Test with an Assertion") : vscode.l10n.t("Assertion");
  const inner = dash === "" ? "" : "  ";
  const lines = isTest
    ? [
        `${dash}vars:`,
        `${inner}  question: \${1:Question}`,
        `${inner}assert:`,
        `${inner}  - type: \${2:icontains}`,
        `${inner}    value: \${3:text}`,
      ]
    : [`${dash}type: \${1:icontains}`, `${inner}value: \${2:text}`];
  const item = new vscode.CompletionItem(plainLabel(label), vscode.CompletionItemKind.Snippet);
  item.insertText = new vscode.SnippetString(lines.join("\n"));
  item.range = range;
  item.filterText = isTest ? "test" : "assertion type";
  item.sortText = "~";
  return [item];
}

function provideHover(
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.Hover | undefined {
  const range = document.getWordRangeAtPosition(position, /\w(?:[\w:-]*\w)?/);
  if (!range) return undefined;
  const word = document.getText(range);
  const { path, key } = findYamlPlace(linesUntil(document, range.start));
  const kind = findMapKind(path);
  if (kind === undefined) return undefined;
  const isKey =
    key === undefined && document.lineAt(range.end).text.startsWith(":", range.end.character);
  const isType = kind === "assertion" && key === "type";
  const text = isType ? describeType(word) : isKey ? describeKey(kind, word) : undefined;
  return text === undefined
    ? undefined
    : new vscode.Hover(new vscode.MarkdownString().appendText(text), range);
}

function describeType(written: string): string | undefined {
  const { type, isInverse } = splitType(written);
  const text = describeAssertionType(type);
  return text !== undefined && isInverse ? vscode.l10n.t("Must not be true: {0}", text) : text;
}
