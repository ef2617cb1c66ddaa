// A run of a cell as its user sees it: warned before anything is sent, stopped, broken off, signed in again, refused.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { sampleRows, toJsonLines } from "./lib/sampleRows.ts";
import { connectedTo, itLeavesNoSecrets, useServer, useWorkbench } from "./lib/journey.ts";
import { Notebook } from "./lib/notebook.ts";
import type { Result } from "./lib/result.ts";
import { unauthorized, type Fault } from "../proxy/faults.ts";
import { canaries, type JourneyServer } from "./lib/servers.ts";

const predicted = /POST .*\/predict$/;
const model = "mindsdb.home_rentals_model";
const { username, password } = canaries;

describe("Running a prediction", () => {
  const server = useServer();
  const locked = useServer({ signIn: "session_or_token" });
  const journey = useWorkbench(() => ({
    ...connectedTo({ Open: server, Locked: locked }),
    // All columns can be seen.
    viewport: { width: 1600, height: 900 },
  }));
  const rows = sampleRows(300);
  let count = 0;

  before("write rows", () => write("flats.jsonl", toJsonLines(rows)));

  afterEach(() => {
    server.proxy.set();
    server.forget();
  });

  function write(name: string, text: string): void {
    fs.writeFileSync(path.join(journey.workbench.folder, name), text);
  }

  const open = (...cells: (object | string)[]) =>
    Notebook.of(journey.workbench, `run${++count}.predict.md`, ...cells);

  /** How often each row of the file went out, by the size of its flat. */
  function timesSent(at: JourneyServer): number[] {
    const times = new Map<number, number>(rows.map(({ sqft }) => [sqft, 0]));
    for (const { body } of at.logged(predicted)) {
      const { data } = JSON.parse(body.toString()) as { data: { sqft: number }[] };
      for (const { sqft } of data) times.set(sqft, (times.get(sqft) ?? 0) + 1);
    }
    return [...times.values()];
  }

  /** The first six batches are answered, what comes then meets a fault. */
  function breakOff(at: JourneyServer, fault: Fault): void {
    at.proxy.set({ on: predicted, times: 6, delay: 20 }, fault);
  }

  /** The rows that are shown, in the file's order. */
  async function showsRowsInOrder(result: Result): Promise<void> {
    await eventually(async () => {
      const shown = await result.column("sqft");
      assert.ok(shown.length > 5);
      assert.deepEqual(
        shown,
        rows.slice(0, shown.length).map(({ sqft }) => String(sqft)),
      );
    });
  }

  describe("asks first, since a notebook may come from a stranger,", () => {
    const statements = /POST .*\/sql\/query$/;

    it("before statements that are not read-only, and runs nothing without a yes", async () => {
      const { dialogs, page } = journey.workbench;
      const notebook = await open(
        "SELECT * FROM files.home_rentals LIMIT 2",
        "/* only a look */\n\nDROP TABLE files.old_rentals",
        "DELETE FROM mindsdb.docs",
      );
      await notebook.run();
      await dialogs.modal("Run a statement that may change “Open”?");
      await journey.workbench.screenshot("stranger-statement");
      const text = await dialogs.modal("may change", "Cancel");
      assert.ok(text.includes("DROP TABLE files.old_rentals\n\n"), text);
      assert.match(text, /these statements in the notebook:\nDELETE FROM mindsdb\.docs/);
      await eventually(() => assert.equal(server.logged(statements).length, 1));

      await notebook.run();
      await dialogs.modal("may change", "Run");
      await eventually(() => {
        const sent = server.logged(statements).map(({ body }) => body.toString());
        assert.equal(sent.length, 3);
        assert.ok(sent[2]?.includes("DROP TABLE"));
      });
      // Once is enough for what was shown, not for what is new.
      await notebook.run();
      await eventually(() => assert.equal(server.logged(statements).length, 5));
      await notebook.paste("DROP TABLE files.other", 0);
      await notebook.run();
      assert.match(await dialogs.modal("may change", "Cancel"), /DROP TABLE files\.other/);
      await page.waitForTimeout(300);
      await eventually(() => assert.equal(server.logged(statements).length, 5));
    });

    it("and on demand no more before statements that the user writes in this notebook", async () => {
      const { dialogs, folder, page } = journey.workbench;
      const ownButton = "Run and Don't Ask Again in This Notebook";
      const notebook = await open("INSERT INTO files.a VALUES (1)");
      const isAsked = async (): Promise<void> => {
        const before = server.logged(statements).length;
        await notebook.run();
        await dialogs.modal("may change");
        await expectCount(page.getByRole("button", { name: ownButton }), 0);
        await dialogs.modal("may change", "Cancel");
        await eventually(() => assert.equal(server.logged(statements).length, before));
      };
      await isAsked();

      const own = [
        "UPDATE files.a SET x = 1",
        "SELECT * FROM duck (SELECT 1)",
        "RETRAIN mindsdb.m",
      ];
      for (const [at, text] of own.entries()) {
        await notebook.paste(text);
        await notebook.run();
        if (at === 0) await dialogs.modal("may change", ownButton);
        await eventually(() => assert.equal(server.logged(statements).length, at + 1));
      }

      for (const text of ["INSERT INTO files.a -- mine\nVALUES (1)", "DROP TABLE files.a"]) {
        await notebook.paste(text);
        await isAsked();
      }
      // What another program writes into the file is nobody's own, also where the user wrote before.
      await notebook.paste("RETRAIN mindsdb.m2");
      await journey.workbench.save();
      const file = path.join(folder, `run${count}.predict.md`);
      await eventually(() => assert.match(fs.readFileSync(file, "utf8"), /RETRAIN mindsdb\.m2/));
      fs.writeFileSync(file, "```sql predict\nRETRAIN mindsdb.m3\n```\n");
      await eventually(async () => assert.equal(await notebook.cellText(0), "RETRAIN mindsdb.m3"));
      await isAsked();
    });

    it("before rows come from a file outside the workspace, through a link too", async () => {
      const { dialogs, folder } = journey.workbench;
      const outside = fs.mkdtempSync(path.join(path.dirname(folder), "outside-"));
      fs.writeFileSync(path.join(outside, "secrets.json"), JSON.stringify(rows.slice(0, 3)));
      fs.symlinkSync(path.join(outside, "secrets.json"), path.join(folder, "linked.json"));
      const notebook = await open({ model, rows: "linked.json" });
      await notebook.run();
      const text = await dialogs.modal("Send rows from a file outside the workspace", "Cancel");
      assert.ok(text.includes(path.join(outside, "secrets.json")), text);
      assert.ok(text.includes("“Open”") && text.includes(server.address), text);
      assert.deepEqual(server.requests(predicted), []);
      await notebook.run();
      await dialogs.modal("Send rows from a file", "Send Rows");
      const result = await notebook.result();
      await result.when(({ count }) => assert.equal(count, "3 rows"));
      const again = await notebook.runToEnd();
      await again.when(({ count }) => assert.equal(count, "3 rows"));
      fs.rmSync(outside, { recursive: true });
    });

    it("before options go to an engine, which may send its key to an address in them", async () => {
      const { dialogs } = journey.workbench;
      const before = server.requests(predicted).length;
      const params = { api_base: "http://stranger.example/v1" };
      const notebook = await open({ model, rows: rows.slice(0, 2), params });
      await notebook.run();
      const text = await dialogs.modal("Send the cell's options to the engine", "Cancel");
      assert.ok(text.includes(model) && text.includes(params.api_base), text);
      assert.ok(text.includes(server.address), text);
      assert.equal(server.requests(predicted).length, before);
      await notebook.run();
      await dialogs.modal("Send the cell's options", "Send Options");
      const result = await notebook.result();
      await result.when(({ count }) => assert.equal(count, "2 rows"));
      const again = await notebook.runToEnd();
      await again.when(({ count }) => assert.equal(count, "2 rows"));
    });
  });

  describe("goes on", () => {
    it("by Resume when the status of rows is unknown, and by itself when the server is back", async () => {
      breakOff(server, { on: predicted, reset: true });
      const result = await (await open({ model, rows: "flats.jsonl", batchRows: 10 })).begin();
      const lost = /^Lost the connection to .*\. The status of (\d+) sent rows is unknown/;
      const { message } = await result.when(({ message, buttons }) => {
        assert.deepEqual(buttons, ["Resume", "Stop"]);
        assert.match(message, lost);
      });
      const [, unsure = ""] = lost.exec(message) ?? [];
      await server.proxy.refuse();
      server.proxy.set();
      await result.button("Resume").click();
      await result.when(({ message }) => assert.match(message, /^Can't reach/));
      await server.proxy.accept();
      await result.when(({ count, notes }) => {
        assert.equal(count, "300 rows");
        assert.equal(notes.length, 1);
        assert.ok(notes[0]?.startsWith(`${unsure} rows were sent a second time`), notes[0]);
      }, 40_000);
      const times = timesSent(server);
      assert.ok(times.every((one) => one === 1 || one === 2));
      assert.equal(times.filter((one) => one === 2).length, Number(unsure));
      await showsRowsInOrder(result);
    });
  });

  describe("of SQL", () => {
    it("waits for a statement that takes longer than any other request may", async () => {
      server.proxy.set({ on: /sql.query/, delay: 40_000 });
      const notebook = await open("SELECT sqft FROM files.home_rentals LIMIT 2");
      const result = await notebook.begin();
      await result.when(
        ({ count }) => assert.match(count, /^Running statement… 3[1-9] s$/),
        60_000,
      );
      await (
        await notebook.result()
      ).when(({ count }) => {
        assert.equal(count, "2 rows");
      }, 30_000);
    });
  });

  describe("at a server that asks to sign in", () => {
    before("choose it", async () => {
      const notebook = await open({ model, rows: "flats.jsonl", batchRows: 10 });
      await notebook.kernels();
      await journey.workbench.quickInput.choose("Locked");
      await notebook.expectKernel("Locked");
    });

    const signIn = (keep: boolean): Promise<void> =>
      journey.workbench.quickInput.signIn({ username, password }, { keep });

    it("offers Sign In in the middle of a run, which then goes on", async () => {
      const { workbench } = journey;
      const notebook = await Notebook.with(workbench, `run${count}.predict.md`);
      const refused = await notebook.runToEnd();
      await refused.when(({ buttons }) => assert.deepEqual(buttons, ["Sign In", "Run Again"]));
      await refused.button("Sign In").click();
      await signIn(false);
      // Once its projects are listed, the sign-in is known everywhere.
      await journey.tree.expand(["Locked"]);
      await journey.tree.find(["Locked", "mindsdb"]);
      breakOff(locked, { on: predicted, answer: unauthorized });
      const result = await notebook.begin();
      await result.when(({ buttons, message }) => {
        assert.deepEqual(buttons, ["Sign In", "Resume", "Stop"]);
        assert.match(message, /requires you to sign in/);
      });
      locked.proxy.set();
      await result.button("Sign In").click();
      await signIn(true);
      await result.when(({ count }) => assert.equal(count, "300 rows"));
      await showsRowsInOrder(result);
    });

    itLeavesNoSecrets(journey);
  });
});
