// Traps of real servers that data sources, views, jobs, triggers, engines and settings meet, and the sentence that says so.
import assert from "node:assert/strict";
import { createDatabaseStatement } from "../../src/dataSources/createDatabaseStatement.ts";
import { emptyDraft, fieldOf } from "../../src/dataSources/dataSourceDraft.ts";
import { validateDraft, type Taken } from "../../src/dataSources/validation.ts";
import {
  disconnectDataSource,
  getDataSource,
  updateDataSource,
} from "../../src/mindsdb/dataSourceChanges.ts";
import { listDatabases, listTables } from "../../src/mindsdb/dataSources.ts";
import { AppError } from "../../src/mindsdb/errors.ts";
import { listHandlers, type Handler } from "../../src/mindsdb/handlers.ts";
import { createView } from "../../src/mindsdb/viewChanges.ts";
import { isTableName } from "../../src/tables/uploadSource.ts";
import { findViewProblem, validateView } from "../../src/views/validation.ts";
import { describeTestedElsewhere, type TestedTrap } from "./testedElsewhere.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";

const project = "mindsdb";
const query = "SELECT sqft FROM files.home_rentals LIMIT 1";

for (const version of versions) {
  describe(`MindsDB ${version}, traps of data`, () => {
    const session = useClients(version);
    let postgres: Handler;
    let taken: Taken[];

    before(async () => {
      postgres = (await listHandlers(session.client)).find(({ name }) => name === "postgres")!;
      taken = await listDatabases(session.client);
    });

    /** What the form says of a value. */
    const problemAt = (field: string, name: string, keys = {}): string | undefined =>
      validateDraft(emptyDraft(postgres, name), { handler: postgres, taken }, { keys, hadKeys: {} })
        .filter((one) => one.field === field)
        .map(({ text }) => text)[0];
    const failure = (work: Promise<unknown>): Promise<AppError> =>
      work.then(
        () => assert.fail("nothing went wrong"),
        (error: unknown) => (error instanceof AppError ? error : assert.fail(String(error))),
      );

    it("says of names that no SQL finds what to use instead, and takes those that it finds", async () => {
      const { admin } = session;
      for (const [name, sentence] of [
        ["", "Give the data source a name."],
        ["12", /at least one letter/],
        ["a b.c/d", /SQL can't find a data source by this name\. Try a_b_cd\./],
        ["MyShop", /Try myshop\./],
        ["select", /Try select_source\./],
        ["mindsdb", /The server has a project named mindsdb\. Choose another name\./],
        ["files", /The name files is already used on this server\. Choose another name\./],
        ["information_schema", /information_schema is already used/],
        ["log", /log is already used/],
        ["status", /status is already used/],
      ] as const) {
        assert.match(problemAt("name", name) ?? "", new RegExp(sentence), name);
      }
      for (const name of ["1a", "1e3", "0x1f", "_"]) {
        assert.equal(problemAt("name", name), undefined, name);
        assert.equal(isTableName(name), true);
        const draft = { project, name, query };
        assert.deepEqual(validateView(draft, undefined, true), [], name);
        await createView(session.client, { project, name, query });
        await admin.sql(`CREATE PROJECT ${name}`);
        await admin.sql(`CREATE VIEW ${name}.inner_view AS (${query})`);
        assert.equal((await admin.sql(`SELECT sqft FROM mindsdb.${name}`)).length, 1, name);
        assert.equal((await admin.sql(`SELECT v.sqft FROM ${name} AS v`)).length, 1, name);
        assert.equal((await admin.sql(`SELECT sqft FROM ${name}.inner_view`)).length, 1, name);
        await admin.sql(`DROP VIEW ${name}.inner_view`);
        await admin.sql(`DROP PROJECT ${name}`);
        await admin.sql(`DROP VIEW mindsdb.${name}`);
      }
    });

    it("keeps parameters exactly, where the JSON of a statement would be changed", async () => {
      const { admin, client } = session;
      const parameters = { lines: "x\ny", back: "a\\b", accent: "é", low: -1.5, quote: 'a"b' };
      const database = { name: "trap_exact", engine: "dummy_data", parameters };
      try {
        await admin.post("/api/databases/", { database });
        assert.deepEqual((await getDataSource(client, "trap_exact")).parameters, parameters);
        const { sql, placeholders } = createDatabaseStatement(postgres, database);
        assert.deepEqual(placeholders, ["lines", "back", "low", "quote"]);
        await admin.sql("DROP DATABASE trap_exact");
        await admin.sql(sql);
        const copied = (await getDataSource(client, "trap_exact")).parameters;
        assert.deepEqual([copied["accent"], copied["lines"]], ["é", "<lines>"]);
      } finally {
        await admin.sql("DROP DATABASE IF EXISTS trap_exact");
      }
    });

    it("lets no mask be stored in place of a password", async () => {
      const { admin, client } = session;
      const database = { name: "trap_mask", engine: "dummy_data", parameters: { password: "p" } };
      await admin.post("/api/databases/", { database });
      try {
        // As a server stores it that is sent what it lists.
        const masked = { database: { parameters: { password: "******" } } };
        await admin.put("/api/databases/trap_mask", masked);
        assert.equal((await getDataSource(client, "trap_mask")).parameters["password"], "******");
        const field = fieldOf("password");
        const text = problemAt(field, "shop", { [field]: "******" });
        assert.equal(text, "This is a mask. Enter the value itself, or leave it empty.");
      } finally {
        await admin.sql("DROP DATABASE trap_mask");
      }
    });

    it("creates nothing by a change of what is not there, and keeps what belongs to the server", async () => {
      const { client } = session;
      const before = await listDatabases(client);
      for (const name of ["trap_nosuch", project]) {
        const { kind, message } = await failure(updateDataSource(client, { name, parameters: {} }));
        assert.equal(`${kind}: ${message}`, `notFound: The data source ${name} no longer exists.`);
      }
      assert.match((await failure(disconnectDataSource(client, "files"))).message, /files/);
      assert.ok((await failure(listTables(client, "trap_nosuch"))).message.length > 0);
      assert.deepEqual(await listDatabases(client), before);
    });

    it("says that a view can't have parameters, and stores none with one", async () => {
      const { client } = session;
      const name = "trap_parameter";
      const wrong = `${query.replace(" LIMIT 1", "")} WHERE sqft > :least LIMIT 1`;
      const error = await failure(createView(client, { project, name, query: wrong }));
      const draft = { project, name, query: wrong };
      assert.deepEqual(findViewProblem(error, draft), {
        field: "query",
        text: "A view can't have parameters. Replace :least with a value.",
      });
      await assert.rejects(session.admin.sql(`SELECT * FROM mindsdb.${name}`), /trap_parameter/);
    });
  });
}

/** The other traps of data, and the tests that provoke them: file and title. */
const elsewhere: TestedTrap[] = [
  [
    "26.1.0 ends a result without an error where fetching its rows fails",
    "connectDataSource",
    "ends a result without an error where fetching its rows fails",
  ],
  [
    "SHOW TABLES of a dead source is empty",
    "connectDataSource",
    "says why the tables of a dead data source cannot be listed",
  ],
  [
    "a connection that the source dropped stays dead",
    "dataSourceJourney",
    "sees why it has no tables while PostgreSQL is down, and reconnects it",
  ],
  [
    "a parse error repeats the statement with its password",
    "connectDataSource",
    "shows nothing of a password that an error of the server repeats",
  ],
  ["lists have secrets in clear", "listingSecrets", "bring none into a result"],
  [
    "a change keeps what it does not name, and its answer has the password",
    "connectDataSource",
    "changes only what was changed, keeps the password",
  ],
  [
    "a source without a name that nothing can remove",
    "connectDataSource",
    "lists one without a name, which only says that it cannot be found",
  ],
  ["a name with a slash has no path", "deleteItem", "slash/source"],
  [
    "a name with capital letters needs its exact case",
    "connectDataSource",
    "opens, reads, changes, and disconnects one whose name has capital letters",
  ],
  [
    "a test ignores nested parameters",
    "connectDataSource",
    "tests a connection without storing it, with a reason for a field",
  ],
  ["a name is taken in any case", "connectDataSource", "connects one only if it works, and once"],
  [
    "a host that never answers takes ten seconds",
    "connectDataSource",
    "says of a host that never answers that it timed out",
  ],
  [
    "a missing driver; an installed one keeps its old error",
    "driverInstall",
    "installs MySQL's after a question",
  ],
  [
    "views and jobs of a dropped source stay and fail",
    "dataSourceJourney",
    "disconnects it after a question that names the view and the job that read it",
  ],
  ["SQL rebuilds the text of a view", "views", "creates a view with its text kept"],
  ["a change of a view is not checked", "views", "keeps its query where the new one fails"],
  ["26.1.0 has one view of a name on the server", "views", "is created once"],
  [
    "a job cannot be changed, and a restored one must not run at once",
    "jobs",
    "replaces a job, and restores it",
  ],
  [
    "units, dates and ends that a job cannot have",
    "jobs",
    "is refused with the field that the server means",
  ],
  [
    "dates of jobs come with a fraction that servers do not take",
    "jobs",
    "writes a statement that makes it again",
  ],
  [
    "a start in the past runs at once, and a scheduler that is off never",
    "jobs",
    "says that a job is overdue where the scheduler is off",
  ],
  [
    "a trigger that its source refuses, and an error of long ago",
    "backgroundWork",
    "runs a trigger's statement for each new row, and says why one failed",
  ],
  [
    "an engine stays while models use it",
    "mlEngines",
    "stay while models use them, which the server names",
  ],
  [
    "HTTP keeps an engine whose creation failed",
    "mlEngines",
    "are not kept where they fail, and the reason is at its field",
  ],
  ["SQL lower-cases names of engines", "mlEngines", "are deleted by their exact name"],
  [
    "settings replace a model as a whole, with its key",
    "serverSettings",
    "are replaced as a whole",
  ],
  [
    "several commands in one native query",
    "statementKind",
    "finds no change in statements classified as reads",
  ],
];

describeTestedElsewhere("The other traps of data", elsewhere);
