// Whatever a request contains, the sample server goes on, keeps what it has, and reads again what it has written.
import assert from "node:assert/strict";
import http from "node:http";
import { SampleClient } from "./client.ts";

const agents = "/api/projects/mindsdb/agents";

describe("hostile requests to the sample server", () => {
  let client: SampleClient;
  beforeEach(async () => {
    client = new SampleClient();
    await client.start();
  });
  afterEach(() => client.stop());

  const agentNames = async (): Promise<string[]> =>
    ((await client.send("GET", agents)).body as { name: string }[]).map(({ name }) => name);

  it("are refused if their body is too long, before all of it is in memory", async () => {
    const { port } = client.server;
    const status = await new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port, method: "POST", path: "/api/sql/query" };
      const request = http.request(options, (response) => {
        request.destroy();
        resolve(response.statusCode);
      });
      request.on("error", reject);
      const chunk = Buffer.alloc(1024 * 1024);
      const write = (): void => {
        if (!request.destroyed) request.write(chunk, write);
      };
      write();
    });
    assert.equal(status, 413);
    assert.equal((await client.send("GET", "/api/status")).status, 200);
  });

  it("cannot make questions fail or hang by texts of an uploaded table", async () => {
    const rows = ["C++ (", "(a+)+$", "O'Brien", "[", "\\"].map((text) => `"${text}",1,2`);
    await client.upload("people", `who,Size in m²,order\n${rows.join("\n")}\n`);
    for (const question of [
      `How many people are there with ${"a".repeat(5_000)}!`,
      "How many people are called O'Brien?",
      "List the people",
      "How many people know C++ (?",
    ]) {
      const { answer, sql } = await client.ask("prices_agent", question);
      assert.doesNotMatch(answer, /failed/, `${question}: ${sql.join()}`);
    }
    const { answer } = await client.ask("prices_agent", "How many people are called O'Brien?");
    assert.match(answer, /\*\*1\*\*/);
  });

  it("cannot make tables that agents cannot read or that are lost with the next start", async () => {
    const create = (name: string) => client.sql(`CREATE TABLE files.${name} (SELECT 1 AS one)`);
    assert.match((await create("`a (b`")).error, /Can't create table/);
    assert.match((await create("``")).error, /./);
    assert.equal((await create("Mixed")).error, "");
    assert.deepEqual((await client.sql("SELECT one FROM files.Mixed")).rows, [[1]]);
    await client.restart();
    assert.deepEqual(client.problems, []);
    assert.deepEqual((await client.sql("SELECT one FROM files.mixed")).rows, [[1]]);
  });

  it("cannot give an agent a name with which all changes are lost", async () => {
    await client.send("POST", agents, { agent: { name: "kept" } });
    assert.equal((await client.send("POST", agents, { agent: { name: "" } })).status, 400);
    await client.send("PUT", `${agents}/kept`, { agent: { name: "" } });
    await client.restart();
    assert.deepEqual(client.problems, []);
    assert.ok((await agentNames()).includes("kept"));
  });

  it("that cannot be saved change nothing", async () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const rows = `{"knowledge_base":{"rows":[{"id":"x","content":"y","title":${deep}}]}}`;
    const target = `${client.server.url}/api/projects/mindsdb/knowledge_bases/rental_guide`;
    const headers = { "content-type": "application/json" };
    const { status } = await fetch(target, { method: "PUT", headers, body: rows });
    assert.equal(status, 500);
    assert.equal((await client.send("POST", agents, { agent: { name: "next" } })).status, 201);
    assert.ok((await agentNames()).includes("next"));
  });

  for (const schedule of [
    "EVERY 1 constructor",
    "EVERY 99999999999999999999 months",
    "START 'some day' EVERY hour",
    "END 'some day'",
  ]) {
    it(`cannot make a job that breaks the list of jobs: ${schedule}`, async () => {
      assert.notEqual((await client.sql(`CREATE JOB j (SELECT 1) ${schedule}`)).error, "");
      const { status, body } = await client.send("GET", "/api/projects/mindsdb/jobs");
      assert.deepEqual([status, body], [200, []]);
    });
  }

  it("cannot name what every object has", async () => {
    for (const word of ["constructor", "__proto__", "toString", "valueOf"]) {
      const statement = `${word} x mindsdb.home_rentals_model`;
      assert.match((await client.sql(statement)).error, /^Syntax error/, statement);
      const agent = { name: word, data: { tables: ["files.*"] }, params: { [word]: 1 } };
      assert.equal((await client.send("POST", agents, { agent })).status, 201);
    }
    const header = "constructor,__proto__,toString,y";
    const lines = Array.from({ length: 30 }, (_, at) => `${at},${at % 7},${at % 3},${at * 2}`);
    await client.upload("names", `${header}\n${lines.join("\n")}\n`);
    const train = "CREATE MODEL mindsdb.n FROM files (SELECT * FROM names) PREDICT y";
    await client.sql(`${train} USING engine = 'sample'`);
    await client.untilTrained("n");
    const { status, body } = await client.send("POST", "/api/projects/mindsdb/models/n/predict", {
      data: [{ toString: 1 }],
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    await client.restart();
    assert.deepEqual(client.problems, []);
    assert.ok((await agentNames()).includes("constructor"));
  });

  // Without limits, fitting these rows takes minutes, in which the server answers nothing.
  it("cannot keep the server busy with a training", async () => {
    const header = [...Array.from({ length: 12 }, (_, at) => `c${at}`), "label"].join();
    const lines = Array.from({ length: 2_000 }, (_, row) => {
      const cells = Array.from({ length: 12 }, (_, at) => `t${(row * (at + 3)) % 37}`);
      return [...cells, `l${row % 39}`].join();
    });
    assert.equal(await client.upload("wide", `${header}\n${lines.join("\n")}\n`), 200);
    const train = "CREATE MODEL mindsdb.w FROM files (SELECT * FROM wide) PREDICT label";
    assert.equal((await client.sql(`${train} USING engine = 'sample'`)).error, "");
    await client.untilTrained("w");
    const { columns, rows } = await client.sql("DESCRIBE mindsdb.w.info");
    assert.deepEqual(rows[0]?.[columns.indexOf("inputs")], ["c0"]);
  });
});
