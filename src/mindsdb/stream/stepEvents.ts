// The steps of an agent run, the same for both stream dialects (25.x and 26.x).

/**
 * The kind of a step, for its icon and label. `unknown` is a frame of no known dialect, shown as JSON;
 * `notStreamed` means that the server sends only the answer.
 */
export type StepKind =
  "status" | "plan" | "thinking" | "tool" | "sql" | "documents" | "notStreamed" | "unknown";

/** Kind of a part of a step. `observation` is the result of a tool or query, `raw` a frame as JSON text. */
export type PartKind = "thought" | "input" | "sql" | "observation" | "text" | "error" | "raw";

export interface StepPart {
  kind: PartKind;
  text: string;
  /** Length of the whole text where `text` is truncated (pages get a limited length). */
  length?: number;
}

/** `unfinished`: the run ended during the step; set only by the reducer (chat/transcript.ts). */
export type StepState = "running" | "done" | "failed" | "unfinished";

/**
 * One step. An action and its observation are one step; so are "Executing…", "succeeded" and "Query result" of 26.x.
 * Steps are numbered in the order of their first frames, from 1 and without gaps: step `n` is `steps[n - 1]`.
 * `label` is the server's short description; the page adds translated text.
 */
export interface AgentStep {
  n: number;
  kind: StepKind;
  state: StepState;
  /** The name of the called tool, for kind `tool`, and for `sql` if the tool's input is SQL. */
  tool?: string;
  label?: string;
  /** For kind `sql`: number of the query and the server's limit (26.x: "query k/20"), and whether it is the final one. */
  query?: { k?: number; of?: number; final: boolean };
  parts: StepPart[];
}

/**
 * Events made of the frames, in order. `add` appends parts to the earlier step `n` and sets its state. A failure is
 * `early` if the server named no cause and had no plan yet: it can be temporary, or a wrong key or model name.
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
