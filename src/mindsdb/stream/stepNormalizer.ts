// Turns the frames of both stream dialects (25.x and 26.x) into steps.
import { hasMoreValues } from "../hasMoreValues.ts";
import { asText, isObject, type JsonObject } from "../json.ts";
import {
  describeAction,
  documentParts,
  isAction,
  isFailure,
  isListOf,
  isObserved,
  isToolCall,
  OpenActions,
  wholeAnswer,
  type Action,
} from "./actionFrames.ts";
import type { StepEvent, StepKind, StepPart, AgentStep, StepState } from "./stepEvents.ts";

/** Maximum length of a label; longer or multi-line descriptions are text parts. */
const maxLabelLength = 200;

/** Frames with more values are shown unparsed: as objects they would take thirty times the memory. */
const maxFrameValues = 500_000;

/** Documents of a run that are shown as such: they too are far larger than their text. */
const maxDocuments = 100_000;

/** The server's error for a run that failed before it began. */
const withoutCause = "Error in completion event generator";

/** The text of an error. Language models and gateways wrap it in an object. */
function errorText(error: unknown): string {
  const { message, detail } = isObject(error) ? error : {};
  return asText(message ?? detail ?? error).trim();
}

function isLabel(text: string): boolean {
  return text.length <= maxLabelLength && !text.includes("\n");
}

/**
 * Turns the frames of one stream, in order, into steps. Recognizes the dialect of each frame.
 * Accepts any text and never throws: an unknown frame becomes a step that shows it as JSON.
 */
export class StepNormalizer {
  #events: StepEvent[] = [];
  #steps = 0;
  #documentsLeft = maxDocuments;
  /** The running step, other than the tools of 25.x, of which several can be open. */
  #current: { n: number; kind: StepKind } | undefined;
  readonly #open = new OpenActions();
  /** 25.x: repeated at the end. */
  #lastSql: string | undefined;
  /** 26.x: the model's description of its next query. */
  #description: string | undefined;
  #answer: string | undefined;
  #olderDialect = false;
  #planned = false;
  #failed = false;
  #ended = false;

  /** The events of one frame (the `data` of a server-sent event). */
  read(frame: string): StepEvent[] {
    this.#events = [];
    try {
      const value: unknown = hasMoreValues(frame, maxFrameValues) ? undefined : JSON.parse(frame);
      if (!isObject(value) || !this.#handle(value)) this.#showAsItCame(frame);
    } catch {
      // Not JSON, or nested too deeply to convert back to text.
      if (frame.trim() !== "") this.#showAsItCame(frame);
    }
    return this.#events;
  }

  /** Handles a frame; false if no dialect has such a frame. The same for the methods it calls. */
  #handle(frame: JsonObject): boolean {
    const { type, error, content } = frame;
    if (error !== undefined && error !== null && error !== false) {
      const message = errorText(error);
      const named = message !== "" && message !== withoutCause;
      return this.#fail(message, !named && !this.#olderDialect && !this.#planned);
    }
    switch (type) {
      case "start":
        // The prompt is not shown: it can be the agent's whole template.
        this.#olderDialect = true;
        return this.#begin({ kind: "thinking", parts: [] });
      case "context":
      case "status":
        return this.#context(content);
      case "data":
        return this.#data(frame["text"], content);
      case "sql":
        return this.#repeatedSql(content);
      case "event":
        return frame["name"] === "retriever_end" && this.#retrieved(frame["data"]);
      case "error":
        return this.#fail(errorText(content), false);
      case "end":
        return this.#end();
      default:
        return this.#actionsStepsOutput(frame);
    }
  }

  // 25.x

  #actionsStepsOutput({ actions, steps, output, messages }: JsonObject): boolean {
    const before = this.#events.length;
    if (isListOf(actions, isAction)) {
      for (const action of actions) this.#act(action);
    }
    if (isListOf(steps, isObserved)) {
      for (const { action, observation } of steps) this.#observe(action, observation);
    }
    // Without messages: this is how 26.x wraps unknown chunks.
    if (typeof output === "string" && (this.#olderDialect || Array.isArray(messages))) {
      const answer = wholeAnswer(output, messages);
      if (isToolCall(answer)) this.#reachStepLimit(answer);
      else this.#reply("markdown", answer);
    }
    const known = this.#events.length > before;
    this.#olderDialect ||= known;
    return known;
  }

  /** 25.14 ends a run after ten tool calls, with the model's next thought as the answer. */
  #reachStepLimit(thought: string): void {
    this.#settle("done");
    const parts: StepPart[] = [{ kind: "thought", text: thought }];
    this.#add({ kind: "thinking", state: "unfinished", parts });
    if (!this.#failed) {
      this.#events.push({ type: "failed", message: "", early: false, stepLimit: true });
    }
    this.#failed = true;
  }

  #act(action: Action): void {
    const step = describeAction(action);
    if (step.kind === "sql") this.#lastSql = asText(action.tool_input);
    this.#open.add(action, this.#add({ ...step, state: "running" }));
  }

  #observe(action: Action, observation: unknown): void {
    const text = asText(observation);
    const failed = isFailure(text, action.tool);
    const state = failed ? "failed" : "done";
    const part: StepPart = { kind: failed ? "error" : "observation", text };
    const n = this.#open.take(action);
    if (n === undefined) {
      const step = describeAction(action);
      this.#add({ ...step, state, parts: [...step.parts, part] });
    } else {
      this.#events.push({ type: "add", n, parts: [part], state });
    }
  }

  /** The server repeats the last query after the answer; shown only if no step had it. */
  #repeatedSql(sql: unknown): boolean {
    if (typeof sql !== "string") return false;
    if (sql !== this.#lastSql) {
      this.#add({ kind: "sql", state: "done", parts: [{ kind: "sql", text: sql }] });
    }
    return true;
  }

  #retrieved(data: unknown): boolean {
    const documents = isObject(data) ? data["documents"] : undefined;
    return Array.isArray(documents) && this.#documents(documents);
  }

  #documents(documents: unknown[]): boolean {
    this.#documentsLeft -= documents.length;
    if (this.#documentsLeft < 0) return false;
    this.#add({ kind: "documents", state: "done", parts: documents.flatMap(documentParts) });
    return true;
  }

  // 26.x

  /** Beginnings of `context` texts in 26.x; any other text is the model's short description. */
  static readonly #contextHandlers: readonly [
    start: string,
    (run: StepNormalizer, rest: string) => boolean,
  ][] = [
    ["Creating execution plan...", (run) => run.#begin({ kind: "plan", parts: [] })],
    ["Proposed Execution Plan:", (run, plan) => run.#plan(plan.trim())],
    ["Generating agent response...", (run) => run.#begin({ kind: "thinking", parts: [] })],
    ["Executing exploratory SQL query: ", (run, sql) => run.#query(sql, false)],
    ["Executing final SQL query: ", (run, sql) => run.#query(sql, true)],
    ["Exploratory query ", (run, which) => run.#querySucceeded(which)],
    ["Query result: ", (run, table) => run.#queryResult(table)],
    ["Error executing SQL query: ", (run, message) => run.#queryFailed(message)],
    ["Returning text response", (run) => run.#status("Returning text response")],
  ];

  /** A text in 26.x, a list of documents in 25.x. */
  #context(content: unknown): boolean {
    if (Array.isArray(content)) return this.#documents(content);
    if (typeof content !== "string") return false;
    if (content.trim() === "") return true;
    for (const [start, handle] of StepNormalizer.#contextHandlers) {
      if (content.startsWith(start) && handle(this, content.slice(start.length))) return true;
    }
    if (this.#current?.kind === "thinking") return this.#describe(content);
    return this.#status(content);
  }

  #status(text: string): boolean {
    return this.#begin(
      isLabel(text)
        ? { kind: "status", label: text, parts: [] }
        : { kind: "status", parts: [{ kind: "text", text }] },
    );
  }

  #plan(text: string): boolean {
    this.#planned = true;
    if (this.#current?.kind !== "plan") this.#begin({ kind: "plan", parts: [] });
    return this.#settle("done", [{ kind: "text", text }]);
  }

  #describe(text: string): boolean {
    this.#description = text;
    return this.#settle("done", [{ kind: "thought", text }]);
  }

  #query(sql: string, final: boolean): boolean {
    const label = this.#description;
    return this.#begin({
      kind: "sql",
      ...(label !== undefined && isLabel(label) ? { label } : {}),
      query: { final },
      parts: [{ kind: "sql", text: sql }],
    });
  }

  /** The result follows in a separate frame. */
  #querySucceeded(which: string): boolean {
    const [, k, of] = /^(\d+)\/(\d+) succeeded$/.exec(which) ?? [];
    if (this.#current?.kind !== "sql" || k === undefined) return false;
    const query = { k: Number(k), of: Number(of), final: false };
    this.#events.push({ type: "add", n: this.#current.n, parts: [], state: "running", query });
    return true;
  }

  #queryResult(table: string): boolean {
    if (this.#current?.kind !== "sql") return false;
    return this.#settle("done", [{ kind: "observation", text: table }]);
  }

  #queryFailed(message: string): boolean {
    if (this.#current?.kind !== "sql") this.#begin({ kind: "sql", parts: [] });
    return this.#settle("failed", [{ kind: "error", text: message }]);
  }

  /** The answer: a text, or a table as text, possibly empty. */
  #data(text: unknown, content: unknown): boolean {
    if (typeof text === "string") return this.#reply("markdown", text);
    if (typeof content === "string") return this.#reply("table", content);
    return false;
  }

  // Both

  /** The last answer counts; an earlier one becomes a step. */
  #reply(format: "markdown" | "table", text: string): boolean {
    const replaced = this.#answer;
    if (replaced === undefined) this.#settle("done");
    else this.#add({ kind: "thinking", state: "done", parts: [{ kind: "text", text: replaced }] });
    this.#answer = text;
    this.#events.push({ type: "answer", format, text });
    return true;
  }

  /** The first failure is the failure of the run; further ones become steps. */
  #fail(message: string, early: boolean): boolean {
    this.#settle("failed");
    if (this.#failed) {
      this.#add({ kind: "status", state: "failed", parts: [{ kind: "error", text: message }] });
    } else {
      this.#events.push({ type: "failed", message, early });
    }
    this.#failed = true;
    return true;
  }

  /** 26.x sends two. */
  #end(): boolean {
    if (!this.#ended) this.#events.push({ type: "end" });
    this.#ended = true;
    return true;
  }

  /** Shows an unknown frame without ending the running step. */
  #showAsItCame(frame: string): void {
    const parts: StepPart[] = [{ kind: "raw", text: frame }];
    const step: AgentStep = { n: ++this.#steps, kind: "unknown", state: "done", parts };
    this.#events.push({ type: "step", step });
  }

  #add(step: Omit<AgentStep, "n">): number {
    this.#settle("done");
    const n = ++this.#steps;
    this.#events.push({ type: "step", step: { n, ...step } });
    return n;
  }

  #begin(step: Omit<AgentStep, "n" | "state">): true {
    this.#current = { n: this.#add({ ...step, state: "running" }), kind: step.kind };
    this.#description = undefined;
    return true;
  }

  /** Ends the running step. */
  #settle(state: StepState, parts: StepPart[] = []): true {
    if (this.#current) this.#events.push({ type: "add", n: this.#current.n, parts, state });
    this.#current = undefined;
    return true;
  }
}
