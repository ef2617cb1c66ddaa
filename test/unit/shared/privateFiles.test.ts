// Everything that is stored can be read by its user only, also what earlier versions left open to others.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ComparisonStore } from "../../../src/agentTests/runs/comparisonStore.ts";
import { ChatStore } from "../../../src/chat/host/chatStore.ts";
import { RawEventStore } from "../../../src/chat/host/rawEventStore.ts";
import { readMachineId } from "../../../src/connections/machineId.ts";
import { WriterLock } from "../../../src/knowledgeBases/writerLock.ts";
import { SqlHistory } from "../../../src/predict/host/sqlHistory.ts";
import { writeJsonFile } from "../../../src/predict/result/jsonFile.ts";
import { NotebookIndex } from "../../../src/predict/result/notebookIndex.ts";
import { RowFile } from "../../../src/predict/result/rowFile.ts";
import { ResultStore } from "../../../src/predict/result/resultStore.ts";
import { SharedSampleServer } from "../../../src/sample/sharedServer/sharedServer.ts";
import { bearerToken, readSecret } from "../../../src/sample/sharedServer/secret.ts";
import { DraftStore } from "../../../src/shared/host/draftStore.ts";
import { openStorageFolder } from "../../../src/shared/node/privateFiles.ts";

const agent = { connectionId: "local", connection: "Local", project: "mindsdb", name: "sales" };
const fail = (error: unknown) => assert.fail(String(error));

/** Everything below a folder that others could open. */
function findOpen(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true }) as string[];
  assert.ok(names.length > 0);
  return names.filter((name) => (fs.lstatSync(path.join(folder, name)).mode & 0o077) !== 0);
}

describe("what is stored", function () {
  if (process.platform === "win32") return;
  let root: string;
  let folder: string;
  let umask: number;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "stored-"));
    folder = path.join(root, "storage");
    // The most open one: nothing is private but what we make so.
    umask = process.umask(0);
  });
  afterEach(() => {
    process.umask(umask);
    fs.rmSync(root, { recursive: true });
  });

  const stores: Record<string, () => Promise<unknown>> = {
    conversations: async () => {
      const store = new ChatStore(folder, fail);
      store.create({ chatId: "a", agent });
      store.append("a", { type: "asked", run: 1, question: "How much?", startedAt: 5 });
      store.label("a", { title: "Rents", isPinned: true });
      await store.flush();
    },
    "conversations of a former folder": async () => {
      const former = path.join(root, "former");
      fs.mkdirSync(former);
      fs.writeFileSync(path.join(former, "a.jsonl"), "{}\n");
      await new ChatStore(folder, fail, former).flush();
      assert.ok(fs.existsSync(path.join(folder, "a.jsonl")));
    },
    comparisons: async () => {
      const store = new ComparisonStore(folder, fail);
      const result = { state: "passed" as const, attempts: [], passed: 0, tookMs: 1 };
      store.add("a", { hash: "a", place: [0, 0], result });
      await store.flush();
    },
    "raw events": async () => {
      const isKept = () => Promise.resolve(true);
      const store = new RawEventStore({ folder, isKept, cutNotice: () => "cut", failed: fail });
      store.append("a", 1, () => "data", 1);
      await store.flush();
    },
    drafts: () => {
      const draft = { id: "a", target: "agent", savedAt: 1, form: {} };
      return Promise.resolve(assert.ok(new DraftStore(folder, fail).keep(draft)));
    },
    "the history of SQL": () => {
      const history = new SqlHistory(folder);
      // So many that another file begins.
      const text = "SELECT 1".padEnd(90_000);
      for (let at = 0; at < 13; at++) history.add({ at, connectionId: "c", text });
      return Promise.resolve(assert.ok(fs.readdirSync(folder).length > 1));
    },
    locks: () => Promise.resolve(assert.ok(new WriterLock(folder).take(["a"]))),
    "the id of the machine": () => readMachineId(folder),
    results: async () => {
      const index = new NotebookIndex(folder);
      const id = randomUUID();
      const place = await new ResultStore(folder, index).create(id);
      const file = await RowFile.create(place);
      await file.dispose();
      await writeJsonFile(path.join(place, "result.json"), {});
      await index.change("file:///a", () => ({ cell: id }));
    },
    "the sample server": async () => {
      const server = new SharedSampleServer({ folder, stepDelay: 0 });
      const url = await server.start();
      const made = await fetch(`${url}/api/projects/mindsdb/agents`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${bearerToken(await readSecret(folder))}`,
        },
        body: JSON.stringify({ agent: { name: "mine", data: { tables: ["files.*"] } } }),
      });
      assert.equal(made.status, 201);
      await server.stop();
      await server.close();
      assert.deepEqual(fs.readdirSync(folder).sort(), ["changes.json", "secret", "stopped"]);
    },
  };
  for (const [what, store] of Object.entries(stores)) {
    it(`can be read by its user only: ${what}`, async () => {
      await store();
      assert.deepEqual(
        findOpen(root).filter((name) => !name.startsWith("former")),
        [],
      );
    });
  }

  /** Moves all files of the storage elsewhere and leaves links to them; returns them with their contents. */
  function replaceByLinks(): Map<string, string> {
    const moved = path.join(root, "moved");
    fs.mkdirSync(moved);
    const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
    return new Map(
      files
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }, at) => {
          const target = path.join(moved, String(at));
          fs.renameSync(path.join(parentPath, name), target);
          fs.symlinkSync(target, path.join(parentPath, name));
          return [target, fs.readFileSync(target, "utf8")];
        }),
    );
  }

  for (const [what, store] of Object.entries(stores)) {
    // It is asked for what it stores, and finds the link to its secret.
    if (what === "the sample server") continue;
    it(`is never written through a link: ${what}`, async () => {
      await store();
      const targets = replaceByLinks();
      fs.rmSync(path.join(root, "former"), { recursive: true, force: true });
      await store();
      for (const [target, text] of targets) assert.equal(fs.readFileSync(target, "utf8"), text);
    });
  }

  it("is never written through a link: the files of a result", async () => {
    await (await RowFile.create(folder)).dispose();
    for (const name of fs.readdirSync(folder)) fs.writeFileSync(path.join(folder, name), "kept");
    const targets = replaceByLinks();
    await (await RowFile.create(folder)).dispose();
    for (const [target, text] of targets) assert.equal(fs.readFileSync(target, "utf8"), text);
  });

  it("is made private when it is first used, if it was not", async () => {
    const deep = path.join(folder, "open", "deep");
    fs.mkdirSync(deep, { recursive: true });
    const outside = path.join(root, "outside");
    fs.writeFileSync(outside, "");
    for (const at of [path.join(folder, "a.jsonl"), path.join(deep, "b.json")]) {
      fs.writeFileSync(at, "{}");
    }
    const script = path.join(folder, "script");
    fs.writeFileSync(script, "", { mode: 0o755 });
    fs.symlinkSync(outside, path.join(folder, "link"));
    fs.symlinkSync(path.join(folder, "missing"), path.join(folder, "dangling"));
    await new ChatStore(folder, fail).flush();
    const links = ["storage/dangling", "storage/link"];
    assert.deepEqual(findOpen(root).sort(), ["outside", ...links]);
    assert.equal(fs.statSync(outside).mode & 0o777, 0o666);
    assert.equal(fs.statSync(script).mode & 0o777, 0o700);
  });

  it("stays usable when a folder is deleted and made again", () => {
    openStorageFolder(folder);
    fs.rmSync(folder, { recursive: true });
    openStorageFolder(folder);
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
  });
});
