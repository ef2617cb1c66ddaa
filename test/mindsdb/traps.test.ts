// Traps of real servers that building meets, each provoked, and the sentence that a user reads then.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createFillMemory, runFill } from "../../src/knowledgeBases/fill/fillRun.ts";
import { createFillServer } from "../../src/knowledgeBases/fill/fillServer.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import { withoutTraceback } from "../../src/mindsdb/http/httpResponse.ts";
import { isTraining } from "../../src/mindsdb/modelStatus.ts";
import { listModels } from "../../src/mindsdb/models.ts";
import { kindOfSql } from "../../src/mindsdb/sql/statementKind.ts";
import { createProject, deleteProject } from "../../src/mindsdb/projectChanges.ts";
import {
  activateVersion,
  createModelStatement,
  deleteModel,
  sendTraining,
} from "../../src/mindsdb/training.ts";
import { describeTestedElsewhere, type TestedTrap } from "./testedElsewhere.ts";
import { useClients } from "./clients.ts";
import { fixture, versions } from "./fixture.ts";
import { uploadAsUser } from "./uploadAsUser.ts";
import { engineOf, embeddingModel, SEEDED } from "./seed.ts";

const project = "mindsdb";
const bases = `/api/projects/${project}/knowledge_bases`;

for (const version of versions) {
  describe(`MindsDB ${version}, traps`, () => {
    const engine = engineOf(version);
    const session = useClients(version);

    /** The sentence of an error of the product's own vocabulary. */
    async function refused(work: Promise<unknown>): Promise<string> {
      const error: unknown = await work.then(
        () => assert.fail("nothing went wrong"),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof AppError);
      return error.message;
    }
    const upload = (name: string, content: string): Promise<void> =>
      uploadAsUser(session.client, "trap", { name, content });
    /** Fills a new knowledge base, whose embeddings may fail from then on. */
    async function fill(more: object, embeddingFailure?: 429): Promise<string> {
      const name = "traps";
      const { llm } = fixture(version);
      const embedding_model = embeddingModel(llm);
      await session.admin.post(bases, { knowledge_base: { name, embedding_model, ...more } });
      llm.embeddingFailure = embeddingFailure;
      try {
        const { stored, missing, refused } = await runFill({
          server: createFillServer(session.client, { project, name }),
          documents: [[{ id: "1", row: { id: "1", content: "One." }, length: 4 }]],
          existing: "skip",
          memory: createFillMemory(),
          cancel: new AbortController().signal,
          onProgress: () => undefined,
        });
        assert.deepEqual([stored, missing], [0, ["1"]]);
        return refused[0]?.reason ?? "";
      } finally {
        llm.embeddingFailure = undefined;
        await session.admin.delete(`${bases}/${name}`);
      }
    }
    let models = 0;
    async function failTraining(select: string, target: string): Promise<string> {
      // A name of its own: what is left of a failed model is in nobody's way.
      const name = `trap_model_${++models}`;
      try {
        const statement = createModelStatement({ project, name, select, target, engine });
        await sendTraining(session.client, statement);
        for (;;) {
          const model = (await listModels(session.client, project)).find(
            (one) => one.name === name,
          );
          const [trained] = model?.versions ?? [];
          if (trained && !isTraining(trained)) {
            assert.equal(trained.status, "error");
            return withoutTraceback(trained.error ?? "");
          }
          await sleep(200);
        }
      } catch (error) {
        assert.ok(error instanceof AppError);
        return error.message;
      } finally {
        await deleteModel(session.client, { project, name }).catch(() => undefined);
      }
    }

    const rentals = "SELECT sqft, rental_price FROM files.home_rentals LIMIT 100";
    const unknownVersion = { project, name: SEEDED.model, version: 99 };
    /** What goes wrong, and the sentence that says so. */
    const provoked: [trap: string, sentence: () => Promise<string>, reads: RegExp][] = [
      [
        "a file of a kind that is no table",
        () => refused(upload("a.md", "# A\n")),
        /^This server can't read \.md files as tables\. Save a\.md as CSV/,
      ],
      ["an empty file", () => refused(upload("a.csv", "")), /^a\.csv is empty\.$/],
      [
        "lines of JSON in a .json file",
        () => refused(upload("a.json", '{"a":1}\n{"a":2}\n')),
        /rename the file to end in \.jsonl\.$/,
      ],
      [
        "a damaged workbook",
        () => refused(upload("a.xlsx", "no sheet")),
        /read a\.xlsx\. The file is/,
      ],
      ["a damaged Parquet file", () => refused(upload("a.parquet", "no rows")), /read a\.parquet/],
      ["a target that no row has", () => failTraining(rentals, "nosuch"), /nosuch/],
      [
        "a table that is not there",
        () => failTraining("SELECT * FROM files.nosuch", "a"),
        /nosuch/,
      ],
      ["a source that is not there", () => failTraining("SELECT * FROM nosuch.t", "a"), /nosuch/],
      [
        "a column that is not there",
        () => failTraining("SELECT nosuch FROM files.home_rentals", "nosuch"),
        /nosuch|query/,
      ],
      [
        "a version that is not there",
        () => refused(activateVersion(session.client, unknownVersion)),
        /version 99 is not found/,
      ],
      [
        "a project that exists",
        () => refused(createProject(session.client, project)),
        /already exists/,
      ],
      ["a project that is gone", () => refused(deleteProject(session.client, "nosuch")), /nosuch/],
      [
        "the default project",
        () => refused(deleteProject(session.client, project)),
        /default project/,
      ],
      ["rows without content", () => fill({ content_columns: ["notes"] }), /notes/],
      ["a model that embeds too much", () => fill({}, 429), /Rate limit reached/],
    ];

    for (const [trap, sentence, reads] of provoked) {
      it(`says what is wrong: ${trap}`, async () => {
        const text = await sentence();
        assert.match(text, reads);
        assert.doesNotMatch(text, /Traceback|File "|site-packages/);
      });
    }
  });
}

/** The other traps that building meets, and the tests that provoke them: file and title. */
const elsewhere: TestedTrap[] = [
  [
    "a knowledge base that exists, a wrong key, model, provider or storage",
    "createKnowledgeBase",
    "says which field is wrong",
  ],
  [
    "a name whose storage another project's knowledge base has",
    "createKnowledgeBase",
    "empties another project's knowledge base of the same name",
  ],
  [
    "rows without content are left out without a word",
    "fillKnowledgeBase",
    "counts what the server leaves out without a word",
  ],
  [
    "25.14.1 keeps old chunks of an id that comes again",
    "fillKnowledgeBase",
    "replaces documents without old chunks, odd ids included",
  ],
  [
    "25.14.1 loses text ids among ids that are numbers",
    "fillKnowledgeBase",
    "knows whether ids were inserted as numbers",
  ],
  ["25.14.1 takes no list of one id in DELETE", "fillKnowledgeBase", "replaces a single document"],
  [
    "a lost connection: the server carries on",
    "fillKnowledgeBase",
    "sends a thousand documents in batches over connections that break",
  ],
  ["two writers destroy the store of 25.14.1", "fillCut", "loses and repeats nothing"],
  [
    "LIMIT with OFFSET skips rows of a knowledge base",
    "fillFromServer",
    "reads every chunk of another knowledge base by a SELECT",
  ],
  [
    "SQL reads unquoted names in lower case",
    "tables",
    "reads a table whose name has spaces and columns with capitals",
  ],
  ["an upload overwrites nothing", "tables", "refuses a name that is taken"],
  [
    "a table has to be deleted before it is replaced",
    "tables",
    "replaces a table once the server has read the file",
  ],
  ["numbers of CSV lose leading zeros", "tables", "loses leading zeros of CSV"],
  ["binary data becomes a table", "tables", "makes a table of bytes that are no text"],
  [
    "a deletion of a project deletes the data source of its name",
    "trainModel",
    "deletes no data source that has the name of a project",
  ],
  [
    "a model to finetune that has never been trained",
    "trainModel",
    "says that there is nothing to finetune",
  ],
  [
    "DELETE over HTTP of an active version deletes the model",
    "trainModel",
    "retrains on a SELECT without switching",
  ],
  [
    "a model that exists, an engine or a project that is not there",
    "trainModel",
    "says which field a refusal is about",
  ],
  ["an engine that cannot finetune", "trainModel", "finetunes where the engine can"],
  [
    "jobs of a deleted project break the list of all jobs",
    "trainModel",
    "creates a project, says what it holds, and deletes it with its jobs",
  ],
  [
    "a job's error stands in the history only",
    "backgroundWork",
    "shows the last and the next run of a job",
  ],
  [
    "a cancelled query stores the batch under way",
    "backgroundWork",
    "follows a query that fills a knowledge base, and cancels it",
  ],
  ["a query to cancel that is not there", "jobs", "has no running queries"],
  [
    "a query of a server that was killed runs for ever",
    "backgroundWork",
    "lists a query of a killed server as running, and cancels it",
  ],
  [
    "26.1.0 never starts a query while background tasks are off",
    "buildJourney",
    "lists a query that waits",
  ],
  ["lists of models do not name the engine", "treeJourney", "finetunes it"],
  ["a training cannot be stopped", "treeJourney", "deletes it while that goes on"],
  [
    "SELECTs that change something",
    "statementKind",
    "finds no change in statements classified as reads",
  ],
  [
    "JOIN with a model answers from a cache",
    "predictInto",
    "writes the endpoint's number for every row and version, where a plain join does not",
  ],
];

/**
 * Traps that no operation of the product meets, because it has none for them. A user who types such a statement into a cell
 * is asked before it is sent, and reads the server's own words afterwards.
 */
const onlyStatements: [trap: string, statement: string][] = [
  ["a project renamed to a data source's name", "ALTER DATABASE trials NAME = 'files'"],
  ["DROP PROJECT with a data source's name", "DROP PROJECT my_source"],
  [
    "EVALUATE that replaces the test table",
    "EVALUATE KNOWLEDGE_BASE p.kb USING test_table = files.t, generate_data = true",
  ],
  ["DELETE without WHERE, which empties a knowledge base", "DELETE FROM p.kb"],
  [
    "UPDATE of a chunk that is not there, which makes one",
    "UPDATE p.kb SET content = 'x' WHERE chunk_id = '9'",
  ],
  [
    "a background query that is started by INSERT",
    "INSERT INTO p.kb (SELECT id, content FROM files.t)",
  ],
  ["OR REPLACE, which deletes all versions first", "CREATE OR REPLACE MODEL p.m PREDICT y"],
  ["OR REPLACE of a table", "CREATE OR REPLACE TABLE files.t (SELECT 1 AS a)"],
  ["a SELECT that deletes a file", "SELECT * FROM files (DROP TABLE t)"],
  ["a SELECT that cancels a query", "SELECT query_cancel(6)"],
  ["a SELECT that stores its place", "SELECT * FROM files.t WHERE id > LAST"],
  ["SET of a version, which says ok and does nothing", "SET model_version = 1"],
  ["a job that runs at every check", "CREATE JOB p.j AS (SELECT 1) EVERY 0 minutes"],
  ["an index on too few chunks", "CREATE INDEX ON KNOWLEDGE_BASE p.kb"],
];

describe("The traps of statements", () => {
  for (const [trap, statement] of onlyStatements) {
    it(`are asked about: ${trap}`, () => assert.notEqual(kindOfSql(statement), "read"));
  }
});

describeTestedElsewhere("The other traps", elsewhere);
