// The initial state of the sample server: two projects with knowledge bases, agents, fitted models and a view, and three data
// sources.
import { applianceManuals, rentalGuide } from "../data/documents.ts";
import { sampleTables } from "../data/homeRentals.ts";
import { describe, predict } from "../models/models.ts";
import { createVersion } from "../models/training.ts";
import { fitClassifier, fitRegression } from "../models/regression.ts";
import { createRow } from "../knowledgeBases/knowledgeBaseRoutes.ts";
import { Index } from "../knowledgeBases/retrieval.ts";
import type { Document } from "../knowledgeBases/retrieval.ts";
import { sampleDatabase } from "../dataSources/handlers.ts";
import { maskKeys } from "./maskKeys.ts";
import { sampleEngine, sampleVersion } from "./state.ts";
import type {
  DataSource,
  KnowledgeBase,
  Model,
  Predictor,
  Project,
  State,
  Table,
  View,
} from "./state.ts";

/** The same at every start: clients take another date for another training. */
const seededAt = "2026-11-02 09:00:00.000000";

/** Creates the initial state. Fitting the models takes a few hundredths of a second. */
export function seed(): State {
  const tables = sampleTables();
  const [homes] = tables;
  const mindsdb: Project = {
    id: 1,
    name: "mindsdb",
    deletable: false,
    knowledgeBases: [createKnowledgeBase(1, 1, "rental_guide", rentalGuide)],
    agents: [],
    models: createModels(homes),
  };
  const support: Project = {
    id: 2,
    name: "support",
    deletable: true,
    knowledgeBases: [createKnowledgeBase(2, 2, "appliance_manuals", applianceManuals)],
    agents: [],
    models: [],
  };
  const stamps = { updated_at: seededAt, created_at: seededAt };
  mindsdb.agents.push(
    {
      id: 1,
      name: "rental_agent",
      project_id: 1,
      ...stamps,
      data: { tables: ["files.home_rentals"], knowledge_bases: ["mindsdb.rental_guide"] },
      prompt_template:
        "You help the tenants of Lantern Lane Rentals. files.home_rentals has one row for each available home. mindsdb.rental_guide contains the house rules and notes on the neighborhoods.",
    },
    {
      id: 2,
      name: "prices_agent",
      project_id: 1,
      ...stamps,
      data: { tables: ["files.*"] },
      prompt_template: "You answer from the tables of the data source files.",
    },
  );
  support.agents.push({
    id: 3,
    name: "manual_agent",
    project_id: 2,
    ...stamps,
    data: { knowledge_bases: ["support.*"] },
    prompt_template: "You explain the appliances of Lantern Lane Rentals.",
  });
  return {
    version: sampleVersion,
    projects: [mindsdb, support],
    tables,
    dataSources: createDataSources(),
    installedDrivers: [],
    defaultModel: { provider: "sample", model_name: "rules" },
    defaultEmbeddingModel: { provider: "sample", model_name: "tf-idf" },
    defaultRerankingModel: undefined,
    unguarded: false,
    views: [affordableHomes],
    jobs: [],
    triggers: [],
    mlEngines: [{ name: sampleEngine, handler: sampleEngine, parameters: {} }],
    jobRuns: [],
    searchColumns: "id, title, chunk_content, relevance",
    predict,
    describe,
  };
}

const affordableHomes: View = {
  id: 1,
  project: "mindsdb",
  name: "affordable_homes",
  query: "SELECT * FROM files.home_rentals WHERE rental_price < 2000",
};

/** One data source that connects, one that needs its password, and one that is dead. */
function createDataSources(): DataSource[] {
  const { password, ...place } = sampleDatabase;
  const archive = { ...place, password: "" };
  const parameters = maskKeys({ ...place, password }) as DataSource["parameters"];
  const engine = "postgres";
  return [
    { id: 1, name: "lantern_lane", engine, parameters, hasRightPassword: true },
    { id: 2, name: "lantern_archive", engine, parameters: archive, hasRightPassword: false },
    {
      id: 3,
      name: "old_office",
      engine,
      parameters: { ...parameters, port: 5433 },
      hasRightPassword: true,
    },
  ];
}

function createKnowledgeBase(
  id: number,
  projectId: number,
  name: string,
  documents: Document[],
): KnowledgeBase {
  const row = createRow(id, projectId, name, {
    embedding_model: { provider: "sample", model_name: "tf-idf", api_key: "******" },
    metadata_columns: Object.keys(documents[0]?.metadata ?? {}),
    content_columns: ["content"],
    id_column: "id",
  });
  return { row, index: new Index(documents) };
}

/** Creates a rent model in two versions, and a classifier. */
function createModels(homes: Table): Model[] {
  const rent = { name: "home_rentals_model", target: "rental_price" };
  const location = { name: "location_model", target: "location" };
  const few = ["number_of_rooms", "sqft", "location"];
  const all = homes.columns.filter((column) => column !== rent.target);
  const forLocation = ["number_of_rooms", "sqft", "neighborhood", "rental_price"];
  const select = "SELECT * FROM home_rentals";
  const early = `SELECT ${few.join(", ")}, rental_price FROM home_rentals LIMIT 120`;
  const first = { columns: homes.columns, rows: homes.rows.slice(0, 120) };
  return [
    complete({ ...rent, id: 1, version: 1, select: early }, fitRegression(first, rent.target, few)),
    complete({ ...rent, id: 2, version: 2, select }, fitRegression(homes, rent.target, all)),
    complete(
      { ...location, id: 3, version: 1, select },
      fitClassifier(homes, location.target, forLocation),
    ),
  ];
}

function complete(version: Parameters<typeof createVersion>[0], predictor: Predictor): Model {
  const { engine, row } = createVersion(version);
  const active = version.id !== 1;
  const made = { status: "complete" as const, created_at: seededAt.slice(0, 19), training_time: 0 };
  return { engine, row: { ...row, ...made, active }, predictor };
}
