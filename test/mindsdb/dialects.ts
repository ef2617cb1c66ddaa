// The two manners in which MindsDB talks with a language model: 26.x has it call a tool with typed fields, 25.x has
// it write "Thought / Action / Action Input". Both tell all that has happened so far in one prompt.
import { sceneOf, type Lookup, type Scene } from "./script.ts";

/** A call of the model, as read from its prompt, and what the script says to it. */
export interface ModelCall {
  scene: Scene;
  /** Whether this is the first call about the question. */
  first: boolean;
  /** How many queries have come back with a result or an error. */
  results: number;
  reply: string | Record<string, unknown>;
}

/** 26.x: first a plan, then at each call a query or the answer, until the answer. `fields` are those of the tool. */
export function readToolCall(prompt: string, fields: string[]): ModelCall {
  const scene = sceneOf(prompt);
  if (fields.includes("plan")) {
    const steps = scene.lookups.map((lookup) => lookup.why);
    if (scene.answer) steps.push("Answer");
    const plan = steps.map((step, i) => `Step ${i + 1}: ${step}`).join("\n");
    const reply = { plan, estimated_steps: steps.length };
    return { scene, first: true, results: 0, reply };
  }
  // At its creation an agent only has its model say something.
  if (!fields.includes("sql_query")) {
    return { scene, first: false, results: 0, reply: { text: "Hi" } };
  }

  const [, earlier] = prompt.split("Previous exploratory query results:\n");
  const results = earlier?.split("\n---\n") ?? [];
  const lookup = scene.lookups[results.length];
  const isLast = results.length === scene.lookups.length - 1;
  const reply = lookup
    ? {
        type: isLast && !scene.answer ? "final_query" : "exploratory_query",
        sql_query: lookup.sql,
        text: "",
        short_description: lookup.why,
      }
    : {
        type: "final_text",
        sql_query: "",
        text: scene.answer?.(results.at(-1) ?? "") ?? "",
        short_description: "Answer",
      };
  return { scene, first: false, results: results.length, reply };
}

/** 25.x: at each call an action or the answer; everything since the question follows "New input:". */
export function readTextCall(prompt: string): ModelCall {
  const sinceQuestion = prompt.slice(prompt.lastIndexOf("New input:"));
  const scene = sceneOf(sinceQuestion);
  const [, ...results] = sinceQuestion.split("\nObservation: ");
  const lookup = scene.lookups[results.length];
  const result = results.at(-1) ?? "";
  const reply = lookup
    ? `Thought: Do I need to use a tool? Yes\nAction: ${toolFor(lookup)}\nAction Input: ${lookup.sql}`
    : `Thought: Do I need to use a tool? No\nAI: ${scene.answer?.(result) ?? markdownTable(result)}`;
  return { scene, first: results.length === 0, results: results.length, reply };
}

function toolFor(lookup: Lookup): string {
  return lookup.over === "table" ? "sql_db_query" : "kb_query_tool";
}

/** 25.x shows results as CSV after a line that says so; the values in these tests need no quotes. */
function markdownTable(observation: string): string {
  const [, csv = ""] = observation.split(/CSV format.*:\s*\n/);
  const [table = ""] = csv.split("\nThought:");
  const [header = "", ...rows] = table.trim().split(/\r?\n/);
  const line = (row: string) => `| ${row.split(",").join(" | ")} |`;
  return [line(header), line(header.replaceAll(/[^,]+/g, "---")), ...rows.map(line)].join("\n");
}
