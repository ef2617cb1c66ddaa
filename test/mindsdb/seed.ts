// Creates the data of the tests on a real server.
import { setTimeout as sleep } from "node:timers/promises";
import { FormData } from "undici";
import { Admin } from "./admin.ts";
import type { LanguageModel } from "./languageModel.ts";
import { homes, notes, toCsv } from "./rentals.ts";
import { MODEL_API_KEY } from "./script.ts";
import type { Version } from "../../scripts/mindsdb/install.ts";
import type { RealServer } from "../../scripts/mindsdb/server.ts";

/** The names of all that `seed` makes, in the project `mindsdb`. */
export const SEEDED = {
  table: "files.home_rentals",
  knowledgeBase: "listing_notes",
  /** Reads the table and the knowledge base. */
  agent: "rental_agent",
  /** Reads the table alone. */
  tableAgent: "table_agent",
  /** Reads the knowledge base alone. */
  notesAgent: "notes_agent",
  model: "home_rentals_model",
} as const;

const TRAINING_LIMIT_MS = 480_000;

/** Makes the table, the knowledge base and the agents; with `train` also the model, trained to the end. */
export async function seed(
  server: RealServer,
  llm: LanguageModel,
  { train = false } = {},
): Promise<void> {
  const admin = await Admin.signIn(server);
  const form = new FormData();
  form.set("file", new File([toCsv(homes())], "home_rentals.csv", { type: "text/csv" }));
  await admin.put("/api/files/home_rentals", form);
  // Training goes on by itself while the rest is made.
  if (train) await startTraining(admin, server);
  await createKnowledgeBase(admin, llm);
  await createAgents(admin, llm);
  if (train) await untilTrained(admin);
}

async function createKnowledgeBase(admin: Admin, llm: LanguageModel): Promise<void> {
  const path = "/api/projects/mindsdb/knowledge_bases";
  const name = SEEDED.knowledgeBase;
  await admin.post(path, {
    knowledge_base: {
      name,
      embedding_model: embeddingModel(llm),
      content_columns: ["content"],
      metadata_columns: ["neighborhood", "rating"],
      id_column: "id",
    },
  });
  await admin.put(`${path}/${name}`, { knowledge_base: { rows: notes() } });
}

async function createAgents(admin: Admin, llm: LanguageModel): Promise<void> {
  const tables = [SEEDED.table];
  const knowledge_bases = [`mindsdb.${SEEDED.knowledgeBase}`];
  const data = {
    [SEEDED.agent]: { tables, knowledge_bases },
    [SEEDED.tableAgent]: { tables },
    [SEEDED.notesAgent]: { knowledge_bases },
  };
  for (const [name, sources] of Object.entries(data)) await createAgent(admin, llm, name, sources);
}

/** Makes an agent that thinks with the scripted model; 26.1.0 tries the model at once. */
export async function createAgent(
  admin: Admin,
  llm: LanguageModel,
  name: string,
  data: { tables?: string[]; knowledge_bases?: string[] } = {},
): Promise<void> {
  await admin.post("/api/projects/mindsdb/agents", {
    agent: {
      name,
      model: modelOf(llm, "scripted"),
      data,
      prompt_template: "You help with rented homes.",
    },
  });
}

function modelOf(llm: LanguageModel, name: string): object {
  return { provider: "openai", model_name: name, api_key: MODEL_API_KEY, base_url: llm.url };
}

/** The scripted model that embeds, as a knowledge base names it. */
export function embeddingModel(llm: LanguageModel): object {
  return modelOf(llm, "scripted-embeddings");
}

/** The engine that a version trains tables with: 26.1.0 comes without any, so it has one of the tests. */
export function engineOf(version: Version): string {
  return version === "26.1.0" ? "linear" : "lightwood";
}

async function startTraining(admin: Admin, { version }: RealServer): Promise<void> {
  const engine = engineOf(version);
  await admin.sql(`CREATE ML_ENGINE ${engine} FROM ${engine}`);
  await admin.post("/api/projects/mindsdb/models", {
    query:
      `CREATE MODEL mindsdb.${SEEDED.model} FROM files (SELECT * FROM home_rentals) ` +
      `PREDICT rental_price USING engine = '${engine}'`,
  });
}

async function untilTrained(admin: Admin): Promise<void> {
  const deadline = Date.now() + TRAINING_LIMIT_MS;
  for (;;) {
    const model = (await admin.get(`/api/projects/mindsdb/models/${SEEDED.model}`)) as {
      status: string;
      error: string | null;
    };
    if (model.status === "complete") return;
    if (model.status === "error") throw new Error(`The model was not trained: ${model.error}`);
    if (Date.now() > deadline) throw new Error(`The model is still ${model.status}.`);
    await sleep(200);
  }
}
