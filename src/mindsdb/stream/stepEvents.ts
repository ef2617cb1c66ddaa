// What an agent does, step by step, in one vocabulary for both stream dialects (25.x and 26.x).

/**
 * What a step is, for its icon and its words. `unknown` is a frame that no dialect explains, shown as it came;
 * `notStreamed` says that the server gives only the answer.
 */
export type StepKind =
  "status" | "plan" | "thinking" | "tool" | "sql" | "documents" | "notStreamed" | "unknown";

/** A piece of a step's body. `observation` is what a tool or a query gave back, `raw` a frame as JSON text. */
export type PartKind = "thought" | "input" | "sql" | "observation" | "text" | "error" | "raw";

export interface StepPart {
  kind: PartKind;
  text: string;
  /** The whole text's length, where `text` is only its beginning (a page gets a limited length of one body). */
  length?: number;
}

/** `unfinished`: the run ended first; only the reducer says so (chat/transcript.ts). */
export type StepState = "running" | "done" | "failed" | "unfinished";

/**
 * One step. An action and its observation are one step; so are "Executing…", "succeeded" and "Query result" of 26.x.
 * Steps are numbered in the order of their first frames, from 1 and without gaps: step `n` is `steps[n - 1]`.
 * `label` is the server's own short description; the words around it are the page's (they are translated).
 */
export interface AgentStep {
  n: number;
  kind: StepKind;
  state: StepState;
  /** The tool's name as sent, where a tool was called: kind `tool`, or `sql` for a tool whose input is SQL. */
  tool?: string;
  label?: string;
  /** For kind `sql`: which query of how many the server allows (26.x: "query k/20"), and whether it is the final one. */
  query?: { k?: number; of?: number; final: boolean };
  parts: StepPart[];
}

/**
 * What the normaliser makes of frames, in order. `add` appends parts to the step `n` that came before and sets its state. A failure is
 * `early` if the server named no cause and had no plan yet: that can pass, or be a wrong key or model name.
 */
export type StepEvent =
  | { type: "step"; step: AgentStep }
  | {
      type: "add";
      n: number;
      parts: StepPart[];
      state: StepState;
      query?: AgentStep["query"];
    }
  | { type: "answer"; format: "markdown" | "table"; text: string; length?: number }
  /**
   * `stepLimit`: the run ended at the server's limit of steps. `detail` is all that the server said, where `message` is a
   * sentence made of it; only a conversation has it.
   */
  | { type: "failed"; message: string; early: boolean; stepLimit?: true; detail?: string }
  | { type: "end" };
