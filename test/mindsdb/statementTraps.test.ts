// Statements whose answers of real servers mislead: what a cell says of them, and what is marked in it.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FormData } from "undici";
import { listModels } from "../../src/mindsdb/models.ts";
import { createModelStatement, deleteModel, sendTraining } from "../../src/mindsdb/training.ts";
import { findModelJoin } from "../../src/predict/notebook/modelJoin.ts";
import { StatementRun } from "../../src/predict/run/statementRun.ts";
import { runTextsForTests } from "../runTexts.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";
import { engineOf } from "./seed.ts";
import { createStatementTable } from "../statementTables.ts";

const project = "mindsdb";

for (const version of versions) {
  describe(`MindsDB ${version}, statements that mislead`, () => {
    const engine = engineOf(version);
    const session = useClients(version);

    it("does what a native query says, and keeps what USE says", async () => {
      const file = path.join(os.tmpdir(), `trap_${randomUUID()}.duckdb`);
      const parameters = JSON.stringify({ database: file });
      await session.admin.sql(
        `CREATE DATABASE trap_duck WITH ENGINE = 'duckdb', PARAMETERS = ${parameters}`,
      );
      const defaultProject = { name: undefined as string | undefined };
      const cells: StatementRun[] = [];
      const run = async (statement: string): Promise<StatementRun> => {
        const cell = new StatementRun({
          client: () => Promise.resolve(session.client),
          explain: (error) => ({ message: String(error) }),
          logError: () => undefined,
          texts: runTextsForTests,
          onProgress: () => undefined,
          createTable: createStatementTable,
          defaultProject,
        });
        cells.push(cell);
        await cell.runStatement(statement, 120_000);
        return cell;
      };
      const notes = async (statement: string): Promise<string> => {
        const { state, notes } = (await run(statement)).progress;
        assert.equal(state.kind, "done", `${statement}: ${JSON.stringify(state)}`);
        return notes.join(" ");
      };
      try {
        assert.match(await notes("SELECT * FROM trap_duck (CREATE TABLE t (a int))"), /no rows/);
        assert.equal(await notes("SELECT * FROM trap_duck (INSERT INTO t VALUES (5))"), "");
        assert.match(
          await notes("SELECT * FROM trap_duck (SELECT * FROM t WHERE a = 9)"),
          /no rows/,
        );
        assert.match(await notes("SELECT * FROM trap_duck.t WHERE a = 9"), /no rows/);
        // What needs rows that are not there is no success: the server stops before it.
        const none = "SELECT a FROM trap_duck.t WHERE a = 9";
        for (const statement of [
          `CREATE TABLE files.trap_none (${none})`,
          `SELECT sqft FROM files.home_rentals UNION ALL ${none}`,
          "SELECT count(*) FROM trap_duck (SELECT a FROM t WHERE a = 9)",
        ]) {
          const { state } = (await run(statement)).progress;
          assert.equal(state.kind, "failed", statement);
        }
        await assert.rejects(session.admin.sql("SELECT * FROM files.trap_none"), /trap_none/);
        for (const statement of ["SET active = 1", "SET autocommit = 0", "SET NAMES utf8"]) {
          assert.match(await notes(statement), /^This has no effect/, statement);
        }
        for (const [statement, ...columns] of [
          ["SELECT sqft, location FROM files.home_rentals WHERE sqft < 0", "sqft", "location"],
          ["SELECT sqft + 1 AS more FROM files.home_rentals LIMIT 0", "more"],
          ["SELECT name, type FROM information_schema.databases WHERE name = 'x'", "name", "type"],
        ] as [string, ...string[]][]) {
          const { table } = await run(statement);
          const names = table.columns.map(({ name }) => name.toLowerCase());
          assert.deepEqual([table.length, names], [0, columns], statement);
        }
        assert.match(await notes("USE trap_duck"), /now use trap_duck/);
        assert.deepEqual(await (await run("SELECT a FROM t")).table.values(0, 1), [["5"]]);
        assert.match(await notes("use `mindsdb`;"), /now use mindsdb/);
        // The last part counts, whatever is before it.
        assert.match(await notes("USE mindsdb.Trap_Duck"), /now use trap_duck/);
        assert.deepEqual(await (await run("SELECT a FROM t")).table.values(0, 1), [["5"]]);
        assert.match(await notes("use `mindsdb`;"), /now use mindsdb/);
        assert.equal((await run("SELECT a FROM t")).progress.state.kind, "failed");
        assert.equal((await run("USE nosuch")).progress.state.kind, "failed");
        assert.equal(defaultProject.name, "mindsdb");
      } finally {
        for (const cell of cells) await cell.dispose();
        await session.admin.sql("DROP DATABASE trap_duck");
      }
    });

    it("ignores inputs of a SELECT from a model whose names are not plain, where a recipe's row does not", async () => {
      const name = "trap_inputs";
      const rows = Array.from({ length: 200 }, (_, i) => [
        i % 20,
        i % 13,
        i % 7,
        i % 11,
        100 * (i % 20) + (i % 13) + 5_000 * (i % 7) + 90_000 * (i % 11),
      ]);
      const header = "unit.price,Plain,list price,Größe,y";
      const csv = [header, ...rows.map((row) => row.join())].join("\n");
      const form = new FormData();
      form.set("file", new File([csv], "trap_inputs.csv"));
      await session.admin.put("/api/files/trap_inputs", form);
      const select = "SELECT * FROM files.trap_inputs";
      const order = { project, name, select, target: "y", engine };
      await sendTraining(session.client, createModelStatement(order));
      for (let status: string | undefined; status !== "complete"; await sleep(200)) {
        const models = await listModels(session.client, project);
        status = models.find((model) => model.name === name)?.current.status;
        assert.notEqual(status, "error");
      }
      const bySql = async (condition: string): Promise<unknown> =>
        (await session.admin.sql(`SELECT y FROM ${project}.${name} WHERE ${condition}`))[0]?.[0];
      for (const input of ["unit.price", "list price", "Größe"]) {
        const sql = `SELECT y FROM ${project}.${name} WHERE \`${input}\` = 6 AND Plain = 5`;
        const { recipe = "", ignored } = findModelJoin(sql, () => ({ target: "y" })) ?? {};
        assert.deepEqual(ignored, [input]);
        const { rows: data } = JSON.parse(recipe) as { rows: object[] };
        assert.deepEqual(data, [{ [input]: 6, Plain: 5 }]);
        const path = `/api/projects/${project}/models/${name}/predict`;
        const [{ y }] = (await session.admin.post(path, { data })) as [{ y: number }];
        assert.equal(
          await bySql(`\`${input}\` = 6 AND Plain = 5`),
          await bySql("Plain = 5"),
          input,
        );
        assert.notEqual(await bySql("Plain = 5"), y, input);
        if (input === "unit.price") assert.equal(await bySql("unit.price = 6 AND Plain = 5"), y);
      }
      await deleteModel(session.client, { project, name });
      await session.admin.sql("DROP TABLE files.trap_inputs");
    });
  });
}
