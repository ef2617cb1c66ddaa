// Changes on the sample server are saved to a file, can be reset, and a damaged file never prevents a start.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { startSampleServer } from "../../../src/sample/server/server.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";
import type { StorageProblem } from "../../../src/sample/server/savedChanges.ts";
import { sendTo as call } from "./client.ts";

const agents = "/api/projects/mindsdb/agents";

describe("changes on the sample server", () => {
  let folder: string;
  let file: string;
  let problems: StorageProblem[];
  const running: SampleServer[] = [];

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "sample-changes-"));
    file = path.join(folder, "deep", "changes.json");
    problems = [];
  });
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<SampleServer> {
    const onStorageProblem = (problem: StorageProblem) => void problems.push(problem);
    const server = await startSampleServer({ stepDelay: 0, changesFile: file, onStorageProblem });
    running.push(server);
    return server;
  }

  async function names(server: SampleServer, project = "mindsdb"): Promise<string[]> {
    const { body } = await call(server, "GET", `/api/projects/${project}/agents`);
    return (body as { name: string }[]).map(({ name }) => name);
  }

  const create = (server: SampleServer, name: string, more: object = {}) =>
    call(server, "POST", agents, {
      agent: { name, data: { tables: ["files.*"] }, ...more },
    });

  /** Creates a directory at the file's path, so that the file can be neither read nor written. */
  function block(): void {
    fs.rmSync(file, { force: true });
    fs.mkdirSync(path.join(file, "occupied"), { recursive: true });
  }

  it("do not look like other trainings after a restart: the seed has the same dates", async () => {
    const read = async () =>
      (await call(await start(), "GET", "/api/projects/mindsdb/models")).body;
    const first = await read();
    assert.match(JSON.stringify(first), /"created_at":"2026-11-02 09:00:00"/);
    assert.deepEqual(await read(), first);
  });

  it("are restored exactly after a restart", async () => {
    const first = await start();
    await create(first, "Mine 🏠", { prompt_template: "Be\nshort.", params: { mode: "sql" } });
    await call(first, "PUT", `${agents}/prices_agent`, { agent: { prompt_template: "Changed." } });
    await call(first, "DELETE", `${agents}/rental_agent`);
    await call(first, "POST", "/api/sql/query", { query: "CREATE PROJECT my_project" });
    const mine = { name: "inner", data: { knowledge_bases: ["support.*"] } };
    await call(first, "POST", "/api/projects/my_project/agents", { agent: mine });
    const before = await Promise.all([
      call(first, "GET", agents),
      call(first, "GET", "/api/projects/my_project/agents"),
      call(first, "GET", "/api/projects/"),
    ]);
    await first.stop();
    const second = await start();
    const after = await Promise.all([
      call(second, "GET", agents),
      call(second, "GET", "/api/projects/my_project/agents"),
      call(second, "GET", "/api/projects/"),
    ]);
    assert.deepEqual(await names(second), ["prices_agent", "Mine 🏠"]);
    assert.deepEqual(after, before);
    assert.deepEqual(problems, []);
    const { body } = await create(second, "next");
    const ids = (before[0].body as { id: number }[]).map(({ id }) => id);
    assert.ok(!ids.includes((body as { id: number }).id));
  });

  it("leave no file if there are none", async () => {
    const server = await start();
    await create(server, "mine");
    assert.ok(fs.existsSync(file));
    await call(server, "DELETE", `${agents}/mine`);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), []);
  });

  it("are saved without keys", async () => {
    const key = "made-up-key-without-a-shape";
    const server = await start();
    const model = { provider: "openai", model_name: "m", api_key: key };
    assert.equal((await create(server, "keyed", { model })).status, 201);
    const text = fs.readFileSync(file, "utf8");
    assert.match(text, /"api_key":"\*{6}"/);
    assert.ok(!text.includes(key));
  });

  it("are shared by two servers with the same file, even if it is deleted", async () => {
    const [one, two] = [await start(), await start()];
    await create(one, "from_one");
    await create(two, "from_two");
    await call(one, "DELETE", `${agents}/rental_agent`);
    const expected = ["prices_agent", "from_one", "from_two"];
    assert.deepEqual([await names(one), await names(two)], [expected, expected]);
    fs.rmSync(file);
    for (const server of [one, two]) {
      assert.deepEqual(await names(server), ["rental_agent", "prices_agent"]);
    }
  });

  it("fail with the reason and are reverted if they cannot be saved", async () => {
    const server = await start();
    await create(server, "kept");
    const mkdirSync = fs.mkdirSync;
    fs.mkdirSync = () => {
      throw new Error("ENOSPC: no space left on device");
    };
    try {
      const { status, body } = await create(server, "lost");
      assert.equal(status, 500);
      assert.match(JSON.stringify(body), /could not be saved: ENOSPC/);
    } finally {
      fs.mkdirSync = mkdirSync;
    }
    assert.deepEqual(await names(server), ["rental_agent", "prices_agent", "kept"]);
    assert.equal((await create(server, "lost")).status, 201);
  });

  it("stay valid if a later version changes the seed", async () => {
    // A later seed can contain names that the user created earlier. The user's objects win.
    const stamps = { updated_at: "2026-01-01", created_at: "2026-01-01" };
    const agent = { id: 120, name: "rental_agent", project_id: 9, ...stamps };
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(
      file,
      JSON.stringify({
        version: 1,
        projects: ["support", "mine"],
        agents: [{ project: "mindsdb", agent }],
        deletedAgents: [2, 77],
      }),
    );
    const server = await start();
    assert.deepEqual(await names(server), ["rental_agent"]);
    assert.deepEqual(problems, []);
    const { body } = await call(server, "GET", "/api/projects/");
    assert.deepEqual(body, [{ name: "mindsdb" }, { name: "support" }, { name: "mine" }]);
  });

  const good = { version: 1, projects: [], agents: [], deletedAgents: [] };
  const stamps = { updated_at: "", created_at: "" };
  const agent = { id: 200, name: "a", project_id: 1, ...stamps };
  const damaged: Record<string, string | Buffer> = {
    empty: "",
    half: '{"version":1,"projects":[],"agents":[{"proj',
    null: "null",
    "a list": "[]",
    "not JSON": "<html>",
    "not text": Buffer.from([0xff, 0xfe, 0x00, 0x80]),
    "of another version": JSON.stringify({ ...good, version: 2 }),
    "with an agent of the wrong shape": JSON.stringify({
      ...good,
      agents: [{ project: "mindsdb", agent: { ...agent, name: 7 } }],
    }),
    "with an agent nowhere": JSON.stringify({ ...good, agents: [{ project: "gone", agent }] }),
    "with an agent twice": JSON.stringify({
      ...good,
      agents: [
        { project: "mindsdb", agent },
        { project: "mindsdb", agent },
      ],
    }),
    deep: "[".repeat(200_000),
    "too large": Buffer.alloc(17 * 1024 * 1024, " "),
  };
  for (const [what, content] of Object.entries(damaged)) {
    it(`are reset with a notice if the file is ${what}`, async () => {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, content, { mode: 0o644 });
      const server = await start();
      assert.deepEqual(await names(server), ["rental_agent", "prices_agent"]);
      assert.equal(problems.length, 1);
      const { keptAs = "" } = problems[0]!;
      assert.deepEqual(fs.readFileSync(keptAs), Buffer.from(content));
      if (process.platform !== "win32") assert.equal(fs.statSync(keptAs).mode & 0o777, 0o600);
      await create(server, "new");
      assert.equal(problems.length, 1);
      assert.deepEqual(await names(await start()), ["rental_agent", "prices_agent", "new"]);
      assert.equal(problems.length, 1);
    });
  }

  it("are reset with a notice if the file is not a regular file", async () => {
    block();
    const server = await start();
    assert.deepEqual(await names(server), ["rental_agent", "prices_agent"]);
    assert.equal(problems.length, 1);
    assert.equal((await create(server, "new")).status, 201);
  });

  it("never prevent a start, whatever the file contains", async () => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const server = await start();
    const parts = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record({
          version: fc.constant(1),
          projects: fc.array(fc.oneof(fc.string(), fc.constantFrom("mindsdb", "__proto__"))),
          agents: fc.array(
            fc.record({
              project: fc.constantFrom("mindsdb", "support", "__proto__"),
              agent: fc.record({
                id: fc.integer({ min: -1, max: 5 }),
                name: fc.string(),
                project_id: fc.integer(),
                updated_at: fc.string(),
                created_at: fc.string(),
                data: fc.object(),
                model: fc.object(),
              }),
            }),
          ),
          deletedAgents: fc.array(fc.integer()),
        })
        .map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(parts, async (text) => {
        fs.writeFileSync(file, text);
        const { status, body } = await call(server, "GET", agents);
        assert.equal(status, 200);
        assert.ok(Array.isArray(body));
      }),
      { numRuns: 100 },
    );
  });
});
