// What pages and the extension store on disk has no secrets: one function sees it all, and nothing is stored without it.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { writeLabel } from "../../../src/chat/host/chatLabels.ts";
import {
  writeResultMetadata,
  type ResultMetadata,
} from "../../../src/predict/result/resultMetadata.ts";
import { DraftStore, maxDrafts } from "../../../src/shared/host/draftStore.ts";
import { omitStoredSecrets } from "../../../src/shared/typedSecrets.ts";
import { keyPlaceholder } from "../../../src/shared/usingClause.ts";
import { assertLinear } from "../../linearTime.ts";

const canary = "canary-31-Qz7";
const source = path.resolve(import.meta.dirname, "..", "..", "..", "src");
const files = fs
  .readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("sample"))
  .map((file) => file.replaceAll("\\", "/"));
const filesWith = (pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(fs.readFileSync(path.join(source, file), "utf8"))).sort();

describe("What is stored", () => {
  for (const stored of [
    { password: canary },
    { filters: [{ column: "pass", operator: "=", value: canary }] },
    { rows: [{ id: "1", name: "api_key", value: canary }] },
    { options: [{ key: "smtp_pin", value: canary }] },
    { values: { db_password: canary, "openai.api_key": canary } },
    { draft: { note: `postgres://ada:${canary}@host.example/shop` } },
    { draft: { query: `INSERT INTO users (name, password) VALUES ('a', '${canary}')` } },
    { draft: { text: `{"a": [{"token": "${canary}"}]}` } },
    { deep: [[{ a: { b: [`password='${canary}'`] } }]] },
    { question: `Why does api_key=${canary} fail?` },
    JSON.parse(`{"__proto__": {"password": "${canary}"}}`) as object,
  ]) {
    it(`has placeholders for secrets: ${JSON.stringify(stored)}`, () => {
      const kept = omitStoredSecrets<object>(stored);
      assert.ok(!JSON.stringify(kept).includes(canary), JSON.stringify(kept));
      assert.ok(JSON.stringify(kept).includes(keyPlaceholder));
      assert.equal(omitStoredSecrets(kept), kept, "twice is like once");
    });
  }

  it("is the same where there are none", () => {
    for (const stored of [
      { hadKeys: { apiKey: true, password: false }, scroll: 3 },
      { values: { use_token: "true", password: "", pass: "a form shows it" } },
      { item: { connectionId: "a", project: "mindsdb", name: "token" } },
      { mapping: [["password", "metadata:password"]], existing: "skip" },
      { draft: { question: "Which tokens cost most?", limit: "10" }, opened: { a: true } },
      { searched: undefined, varied: null },
    ]) {
      assert.equal(omitStoredSecrets<object>(stored), stored);
    }
  });

  it("is searched in linear time", () => {
    const make = (size: number): object => ({ query: "token 'a' , ".repeat(size / 12) });
    assertLinear({ name: "statements", make, run: omitStoredSecrets, size: 20_000 });
  });

  it("goes through it: drafts of closed forms", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "drafts-"));
    const drafts = new DraftStore(folder, assert.ifError);
    const form = { draft: { password: canary, note: `https://a:${canary}@h.example` } };
    assert.ok(drafts.keep({ id: "one", target: "t", savedAt: 1, form }));
    assert.ok(!fs.readFileSync(path.join(folder, "one.json"), "utf8").includes(canary));
    for (let savedAt = 2; savedAt < maxDrafts + 4; savedAt++) {
      drafts.keep({ id: String(savedAt), target: "t", savedAt, form: {} });
    }
    const kept = fs.readdirSync(folder).map((name) => Number.parseInt(name, 10));
    assert.deepEqual([kept.length, Math.min(...kept)], [maxDrafts, 4], "the newest ones");
    fs.rmSync(folder, { recursive: true });
  });

  it("goes through it: names of conversations, and what belongs to results", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "stored-"));
    const label = path.join(folder, "label.json");
    await writeLabel(label, { title: `password=${canary}`, isPinned: true });
    await writeResultMetadata(folder, {
      origin: {
        ...{ startedAt: 1, connectionId: "a", contentHash: "b" },
        into: { table: ["t"], statement: `CREATE TABLE t (SELECT '${canary}' AS password)` },
      },
      outcome: { state: { kind: "failed", message: `postgres://a:${canary}@h.example` } },
      rows: { length: 0, refused: 0, columns: { sources: [] } },
    } as unknown as ResultMetadata);
    for (const file of fs.readdirSync(folder)) {
      const text = fs.readFileSync(path.join(folder, file), "utf8");
      assert.ok(!text.includes(canary) && text.includes(keyPlaceholder), text);
    }
    fs.rmSync(folder, { recursive: true });
  });

  it("goes through it: the state of every page", () => {
    const page = "shared/page/webview.ts";
    assert.deepEqual(filesWith(/acquireVsCodeApi|\bvscode\.setState\(/), [page]);
    const text = fs.readFileSync(path.join(source, page), "utf8");
    assert.match(text, /setState\(\{ \.\.\.savedState\(\), \.\.\.omitStoredSecrets\(change\) \}\)/);
    assert.deepEqual(
      filesWith(/\b(?:localStorage|sessionStorage|indexedDB|document\.cookie)\b/),
      [],
    );
  });

  // A new one belongs here once it is clear that what it stores has no secret.
  it("is written in these files, and by nothing else", () => {
    assert.deepEqual(filesWith(/\b[sS]tate\.update\(\s*(?:[a-z]\w*Key|storageKey)\b/), [
      "agentTests/host/files/testConnections.ts",
      "agentTests/host/testController.ts",
      "connections/host/connectionStore.ts",
      "connections/host/plainHttp.ts",
      "explorer/host/openedNamesStore.ts",
      "explorer/host/treeDataProvider.ts",
      "models/host/trainingWatch.ts",
      "predict/host/askParameters.ts",
      "predict/host/notebooks.ts",
      "predict/host/sqlFileLanguages.ts",
      "predict/host/sqlFilePlaces.ts",
      "predict/host/sqlResultsView.ts",
    ]);
    const writers =
      /\b(?:fs|promises|this\.#\w+|handle)\.(?:writeFile|appendFile|writeFileSync|appendFileSync|createWriteStream)\(|\b(?:writeJsonFile|replaceFile)\(/;
    assert.deepEqual(filesWith(writers), Object.values(writingFiles).flat().sort());
    for (const file of writingFiles.checked) {
      const text = fs.readFileSync(path.join(source, file), "utf8");
      assert.match(text, /omitStoredSecrets\(|writeJsonFile\(/, file);
    }
  });
});

/** The files that write files. */
const writingFiles = {
  checked: [
    "chat/host/chatLabels.ts",
    "predict/result/jsonFile.ts",
    "predict/result/notebookIndex.ts",
    "predict/result/resultMetadata.ts",
    "predict/result/runHistory.ts",
    "predict/result/sqlResultStore.ts",
    "shared/host/draftStore.ts",
  ],
  /** With the secrets of their connection, which know more. */
  redacted: [
    "agentTests/runs/comparisonStore.ts",
    "chat/host/chatStore.ts",
    "chat/host/rawEventStore.ts",
    "predict/host/sqlHistory.ts",
  ],
  /** Rows, and files that the user asks for. */
  users: [
    "predict/host/exportResult.ts",
    "predict/result/rowFile.ts",
    "predict/result/tableWorker.ts",
    "shared/files/localFile.ts",
    "shared/files/replaceFile.ts",
    "shared/host/writeFile.ts",
  ],
  /** Ids and marks. */
  ids: [
    "chat/host/openChatMarkers.ts",
    "connections/machineId.ts",
    "knowledgeBases/writerLock.ts",
    "predict/result/resultStore.ts",
    "predict/result/resultTable.ts",
  ],
};
