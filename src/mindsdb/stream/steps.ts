// What an agent does, step by step: both stream dialects (25.x and 26.x) in one vocabulary.

/** What a step is, for its icon and its words; `unknown` is a frame that no dialect explains, shown as it came. */
export type StepKind = "status" | "plan" | "thinking" | "tool" | "sql" | "documents" | "unknown";

/** A piece of a step's body. `observation` is what a tool or a query gave back, `raw` a frame as JSON text. */
export type PartKind = "thought" | "input" | "sql" | "observation" | "text" | "error" | "raw";

export interface StepPart {
  kind: PartKind;
  text: string;
}

/**
 * One step. An action and its observation are one step; so are "Executing…", "succeeded" and "Query result" of 26.x.
 * `n` is the order of its first frame, from 1 (so numbers may have gaps). `label` is the server's own short description; the words around it are
 * the page's (they are translated).
 */
export interface AgentStep {
  n: number;
  kind: StepKind;
  state: "running" | "done" | "failed";
  /** The tool's name as sent, for kind `tool`. */
  tool?: string;
  label?: string;
  /** For kind `sql`: which query of how many the server allows (26.x: "query k/20"), and whether it is the final one. */
  query?: { k?: number; of?: number; final: boolean };
  parts: StepPart[];
}

/** What the normaliser makes of frames, in order. `add` and `state` change the step `n` that came before. */
export type StepEvent =
  | { type: "step"; step: AgentStep }
  | {
      type: "add";
      n: number;
      parts: StepPart[];
      state: AgentStep["state"];
      query?: AgentStep["query"];
    }
  | { type: "answer"; format: "markdown" | "table"; text: string }
  | { type: "failed"; message: string; early: boolean }
  | { type: "end" };
