// Which calls of an agent promptfoo 0.123 takes for steps of type "tool", and by which names it finds them.
import * as l10n from "@vscode/l10n";
import { isObject } from "../../mindsdb/json.ts";
import { globWildcards, matchesWildcards } from "../../mindsdb/matchWildcards.ts";
import { formatArguments, type ToolCall } from "./agentOutcome.ts";
import { AssertionError } from "../files/finding.ts";

/** Tools whose calls are steps of type "command" if their arguments have one. */
const commandTools = ["exec_command", "local_shell", "shell"];

export interface ToolStep extends ToolCall {
  /** The names by which it is found, in folded case: the tool's and the span's, which is `execute_tool` with it. */
  folded: readonly [string, string];
}

/** The calls that are steps of type "tool". Throws AssertionError where promptfoo throws. */
export function toToolSteps(calls: readonly ToolCall[]): ToolStep[] {
  return calls.flatMap(({ name: given, args }) => {
    const name = given.trim() || readNameFromArguments(args);
    if (name === undefined || (commandTools.includes(name.toLowerCase()) && hasCommand(args))) {
      return [];
    }
    return [{ name, args, folded: [foldCase(name), foldCase(`execute_tool ${given}`)] }];
  });
}

/** Without a name, promptfoo takes arguments that are no object and no list for one. */
function readNameFromArguments(args: unknown): string | undefined {
  if (args === undefined || (typeof args === "object" && args !== null)) return undefined;
  return formatArguments(args);
}

function hasCommand(args: unknown): boolean {
  if (!isObject(args)) return false;
  const command = ["cmd", "command", "commands"]
    .map((key) => (Object.hasOwn(args, key) ? args[key] : undefined))
    .find((value) => value !== undefined);
  if (typeof command === "string") return command.trim() !== "";
  return Array.isArray(command) && command.some((part) => toText(part).trim() !== "");
}

function toText(value: unknown): string {
  try {
    return String(value);
  } catch {
    // An object whose `toString` is no function.
    throw new AssertionError(l10n.t("The command of a tool call is not a string."));
  }
}

/** Whether a text, in folded case, fits a pattern. */
export type Matcher = (folded: string) => boolean;

/**
 * Compiles a pattern, once for all texts that are compared with it: `*` and `?` stand for any characters of a line, in
 * UTF-16 units; case is ignored.
 */
export function compilePattern(pattern: string): Matcher {
  const wanted = foldCase(pattern).replace(/\*+/g, globWildcards.any);
  if (!hasWildcards(wanted)) return (folded) => folded === wanted;
  const minLength = wanted.replaceAll(globWildcards.any, "").length;
  const wantedLines = splitLines(wanted);
  return (folded) => {
    if (folded.length < minLength) return false;
    const lines = splitLines(folded);
    return (
      lines.length === wantedLines.length &&
      lines.every((line, at) => {
        const part = wantedLines[at]!;
        return at % 2 === 1 ? line === part : matchesWildcards(line, part, globWildcards);
      })
    );
  };
}

export function hasWildcards(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/** With the line ends at odd places. */
function splitLines(text: string): string[] {
  return text.split(/([\n\r\u2028\u2029])/);
}

/** As a regular expression ignores case that is not for Unicode; halves of surrogate pairs become characters. */
export function foldCase(text: string): string {
  return text.replace(/[^\0-\x40\x5b-\x60\x7b-\x7f]/g, (unit) => {
    const code = unit.charCodeAt(0);
    if (code >= 0xd800 && code <= 0xdfff) return String.fromCharCode(code + 0x800);
    const upper = unit.toUpperCase();
    return upper.length > 1 || (code >= 0x80 && upper.charCodeAt(0) < 0x80) ? unit : upper;
  });
}
