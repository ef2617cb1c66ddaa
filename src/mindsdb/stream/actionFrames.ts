// Parts of 25.x frames: actions, observations, documents and the final answer.
import { asText, isObject } from "../json.ts";
import type { AgentStep, StepPart } from "./stepEvents.ts";

/** A tool call of the model. `log` is the model's text, `tool_input` usually a string. */
export interface Action {
  tool: string;
  tool_input?: unknown;
  log?: unknown;
}

interface ObservedAction {
  action: Action;
  observation?: unknown;
}

const sqlTools = new Set(["sql_db_query", "kb_query_tool"]);

/** True for an array whose items all pass the check. */
export function isListOf<T>(value: unknown, is: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

/** True for an object that names a tool. */
export function isAction(value: unknown): value is Action {
  return isObject(value) && typeof value["tool"] === "string";
}

/** True for an action with its observation, if any. */
export function isObserved(value: unknown): value is ObservedAction {
  return isObject(value) && isAction(value["action"]);
}

/** The step that an action starts: the model's thought and the tool's input. */
export function describeAction(action: Action): Pick<AgentStep, "kind" | "tool" | "parts"> {
  const kind = sqlTools.has(action.tool) ? "sql" : "tool";
  const thought = asText(action.log);
  const input = asText(action.tool_input);
  const parts: StepPart[] = [];
  if (thought !== "") parts.push({ kind: "thought", text: thought });
  if (input !== "") parts.push({ kind: kind === "sql" ? "sql" : "input", text: input });
  return { kind, tool: action.tool, parts };
}

/** Recognizes a failure by its first words; the server sends no flag. */
export function isFailure(observation: string, tool: string): boolean {
  return (
    observation.startsWith("Error: ") ||
    observation.startsWith(`${tool} is not a valid tool, try one of [`)
  );
}

/** The parts of a retrieved document: its text, then its metadata. */
export function documentParts(document: unknown): StepPart[] {
  if (typeof document === "string") return [{ kind: "observation", text: document }];
  const { content, page_content, metadata } = isObject(document) ? document : {};
  const text = content ?? page_content;
  if (typeof text !== "string") return [{ kind: "raw", text: JSON.stringify(document) }];
  const known = asText(metadata);
  const parts: StepPart[] = [{ kind: "observation", text }];
  if (known !== "" && known !== "{}") parts.push({ kind: "raw", text: known });
  return parts;
}

/**
 * The final text. The server sends what follows the last "AI:" of the model's words, so an answer with an "AI:" in it
 * arrives without its head. `messages` hold all of the words: mostly a thought, then "AI:" at the start of a line.
 */
export function wholeAnswer(output: string, messages: unknown): string {
  const message: unknown = Array.isArray(messages) ? messages[0] : undefined;
  const words = isObject(message) ? message["content"] : undefined;
  if (typeof words !== "string") return output;
  if (!words.includes("AI:") || !words.trimEnd().endsWith(output)) return output;
  const formatted = /^\s*(Thought:|AI:)/.test(words);
  const start = formatted ? words.search(/^AI:/m) : -1;
  if (start >= 0) return words.slice(start + "AI:".length).trim();
  return formatted ? words.slice(words.indexOf("AI:") + "AI:".length).trim() : words.trim();
}

/** True for text in the model's format for tool calls: a thought, then an action on its own line. */
export function isToolCall(text: string): boolean {
  const call = text.trimStart();
  if (!call.startsWith("Thought:")) return false;
  return call.includes("\nAction:") && !call.includes("\nAI:");
}

interface OpenSteps {
  steps: number[];
  next: number;
}

/** Steps of actions without observation. An observation repeats its action, which identifies the step. */
export class OpenActions {
  /** Step numbers by tool and input, the oldest first; `next` is the index of the oldest open one. */
  readonly #steps = new Map<string, Map<string, OpenSteps>>();

  add(action: Action, step: number): void {
    const input = asText(action.tool_input);
    const byInput = this.#steps.get(action.tool) ?? new Map<string, OpenSteps>();
    const open = byInput.get(input) ?? { steps: [], next: 0 };
    this.#steps.set(action.tool, byInput.set(input, open));
    open.steps.push(step);
  }

  /** Removes and returns the oldest open step of this action; undefined if there is none. */
  take(action: Action): number | undefined {
    const input = asText(action.tool_input);
    const byInput = this.#steps.get(action.tool);
    const open = byInput?.get(input);
    if (!open) return undefined;
    // Not shift(), which moves all other elements.
    const step = open.steps[open.next++];
    if (open.next === open.steps.length) byInput?.delete(input);
    return step;
  }
}
