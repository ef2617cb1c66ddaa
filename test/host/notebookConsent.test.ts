// What the user is asked before a notebook or file changes a server, and how long the answer counts.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { NotebookConsent } from "../../src/predict/host/notebookConsent.ts";
import type { Connection, PlannedChange } from "../../src/shared/connection.ts";
import { askingServers } from "./askingServers.ts";
import { withWindow } from "./workbench.ts";

describe("The consent to a notebook's statements", () => {
  const connection: Connection = {
    id: "c",
    name: "Shop",
    address: "http://127.0.0.1:1",
    isPreset: false,
    protection: "none",
    isProduction: false,
  };
  const asked: PlannedChange[] = [];
  let answer = true;
  const servers = askingServers(
    () => assert.fail("no server is asked"),
    asked,
    () => answer,
  );
  let consent: NotebookConsent;

  beforeEach(() => {
    asked.length = 0;
    answer = true;
    consent = new NotebookConsent(servers, { isOwn: () => false });
  });
  afterEach(() => consent.dispose());

  const place = {
    kind: "notebook" as const,
    uri: vscode.Uri.file("/a.predict.md"),
    texts: ["DROP VIEW a", "DROP VIEW b", "SELECT 1"],
    database: "mindsdb",
    isOwn: () => false,
  };
  const allow = (text: string, where: object = {}, on: object = {}) =>
    consent.allowStatement(
      { ...place, ...where },
      text,
      { ...connection, ...on },
      new AbortController().signal,
    );
  const details = () => asked.map(({ detail }) => [detail ?? []].flat(2).join("\n"));

  it("lists the statements that it includes, none of which is asked about again", async () => {
    assert.equal(await allow("DROP VIEW a"), "yes");
    const [detail] = details();
    assert.match(detail ?? "", /DROP VIEW a\n.*these statements in the notebook:\nDROP VIEW b$/);
    assert.equal(await allow("DROP VIEW b"), "yes");
    assert.equal(asked.length, 1);
    await allow("DROP VIEW a", { kind: "file", uri: vscode.Uri.file("/a.mindsdb.sql") });
    assert.match(details()[1] ?? "", /these statements in the file:\nDROP VIEW b$/);
  });

  it("counts for the same text, file, database, connection and address", async () => {
    await allow("DROP VIEW a");
    const others = [
      () => allow("DROP VIEW a "),
      () => allow("DROP VIEW a", { uri: vscode.Uri.file("/b.predict.md") }),
      () => allow("DROP VIEW a", { database: "shop" }),
      () => allow("DROP VIEW a", {}, { id: "d" }),
      () => allow("DROP VIEW a", {}, { address: "http://127.0.0.1:2" }),
    ];
    for (const [count, other] of others.entries()) {
      await other();
      assert.equal(asked.length, count + 2, String(other));
    }
    await allow("DROP VIEW a");
    assert.equal(asked.length, others.length + 1);
  });

  it("is asked for again after a no, and each time in production", async () => {
    answer = false;
    for (const count of [1, 2]) {
      assert.equal(await allow("DROP VIEW a"), "no");
      assert.equal(asked.length, count);
    }
    answer = true;
    for (const count of [3, 4]) {
      await allow("DROP VIEW a", {}, { isProduction: true });
      assert.equal(asked.length, count);
    }
    assert.doesNotMatch(details().at(-1) ?? "", /DROP VIEW b/);
  });

  it("is not asked for where nothing may change", async () => {
    assert.equal(await allow("DROP VIEW a", {}, { protection: "readOnly" }), "readOnly");
    assert.deepEqual(asked, []);
  });

  it("to reading rows or a file counts for that one, and for rows not in production", async () => {
    const messages: string[] = [];
    const showWarningMessage = (message: string, ...given: unknown[]) => {
      messages.push(message);
      return Promise.resolve(given.at(-1));
    };
    const notebook = { uri: place.uri } as vscode.NotebookDocument;
    const rows = (select: string, isProduction = false) =>
      consent.allowRows(notebook, { select }, { ...connection, isProduction });
    const file = (name: string) => consent.allowFile(notebook, vscode.Uri.file(name), connection);
    await withWindow({ showWarningMessage }, async () => {
      for (const [ask, questions] of [
        [() => rows("SELECT 2", true), 1],
        [() => rows("SELECT 2", true), 2],
        [() => rows("SELECT 1"), 3],
        [() => rows("SELECT 1"), 3],
        [() => rows("SELECT 3"), 4],
        [() => file("/a.csv"), 5],
        [() => file("/a.csv"), 5],
        [() => file("/b.csv"), 6],
      ] as const) {
        assert.equal(await ask(), true);
        assert.equal(messages.length, questions, String(ask));
      }
    });
  });
});
