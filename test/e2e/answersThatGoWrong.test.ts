// A question fails in every possible way: each run ends in one visible state, keeps what arrived, and says what to do.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { engineFailure, readRecording, webPage } from "../proxy/faultProxy.ts";
import type { Chat } from "./lib/chat.ts";
import { eventually } from "./lib/eventually.ts";
import {
  connectedTo,
  extensionLog,
  itLeavesNoSecrets,
  useServer,
  useWorkbench,
} from "./lib/journey.ts";
import { canaries } from "./lib/servers.ts";

const fixtures = path.resolve(import.meta.dirname, "..", "fixtures");
const streams = /\/completions\/stream$/;

describe("Failing answers", () => {
  const server = useServer({ signIn: "session_or_token" });
  const open = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: open, Guarded: server }));

  const context = (content: string) => ({ type: "context", content });
  const end = { type: "end" };
  /** The number of runs so far; each test adds its own. */
  let count = 0;

  const shown = () => journey.chat("rental_agent");

  async function ask(question = "What does a home cost?"): Promise<Chat> {
    const chat = await shown();
    await chat.ask(question);
    count++;
    return chat;
  }

  async function askHeld() {
    const held = open.hold();
    const chat = await ask();
    return { chat, held: await held };
  }

  async function stepWords(chat: Chat): Promise<string[]> {
    return (await chat.lastRun()).steps.map(({ words }) => words);
  }

  async function until(chat: Chat, words: string[]): Promise<void> {
    await eventually(async () => {
      assert.deepEqual(await stepWords(chat), words);
    });
  }

  before("open a conversation", async () => {
    await journey.chatWith("Rentals", "mindsdb", "rental_agent");
  });

  describe("in a stream", () => {
    it("fails the run at an error inside a 200, with the reason and everything received", async () => {
      const { chat, held } = await askHeld();
      held.send(
        context("Creating execution plan..."),
        context("Proposed Execution Plan:\nStep 1: Fail"),
      );
      held.send({ type: "error", content: "Agent streaming failed: no such table" }, end);
      held.end();
      const run = await chat.ended(count);
      assert.equal(run.state, "failed");
      assert.equal(run.sentence, "The agent failed: Agent streaming failed: no such table");
      assert.deepEqual(run.buttons, ["Ask Again"]);
      assert.deepEqual(
        run.steps.map(({ words }) => words),
        ["Plan"],
      );
    });

    it("cuts the run off if the connection breaks, and keeps everything received", async () => {
      const { chat, held } = await askHeld();
      held.send(
        context("Creating execution plan..."),
        context("Proposed Execution Plan:\nStep 1: Go"),
      );
      held.send(context("Generating agent response..."));
      await until(chat, ["Plan", "Thinking"]);
      held.break();
      const run = await chat.ended(count);
      assert.equal(run.state, "cutOff");
      assert.match(run.sentence, /^Lost the connection to http:\/\/127\.0\.0\.1:\d+\.$/);
      assert.deepEqual(run.buttons, ["Ask Again"]);
      assert.deepEqual(
        run.steps.map(({ words, state }) => [words, state]),
        [
          ["Plan", "done"],
          ["Thinking", "unfinished"],
        ],
      );
    });

    it("says that a stream ended without an answer", async () => {
      const { chat, held } = await askHeld();
      held.send(context("Generating agent response..."), end);
      held.end();
      const run = await chat.ended(count);
      assert.deepEqual(
        [run.state, run.sentence],
        ["noAnswer", "The agent ended without an answer."],
      );
    });

    it("ends a run once if the stream has two ends", async () => {
      const { chat, held } = await askHeld();
      held.send({ type: "data", text: "Fine." }, { type: "end", trace_id: "1" }, end);
      held.end();
      const run = await chat.ended(count);
      assert.deepEqual([run.state, run.answer, run.steps.length], ["answered", "Fine.", 0]);
    });

    it("shows the answer although the connection stays open after the end", async () => {
      const { chat, held } = await askHeld();
      held.send({ type: "data", text: "Fine." }, end);
      const run = await chat.ended(count);
      assert.equal(run.state, "answered");
      await held.closed;
    });

    it("shows unknown frames unchanged", async () => {
      const { chat, held } = await askHeld();
      held.send({ type: "horoscope", stars: 5 }, "not JSON at all", [1, 2]);
      held.send({ type: "data", text: "Fine." }, end);
      held.end();
      const run = await chat.ended(count);
      assert.deepEqual(
        run.steps.map(({ words }) => words),
        ["Unknown message", "Unknown message", "Unknown message"],
      );
      assert.match(await chat.openStep(0), /"stars":\s*5/);
      assert.match(await chat.openStep(1), /not JSON at all/);
      assert.equal(run.state, "answered");
    });

    it("says that the server is silent, and stops a stream that never ends", async () => {
      const { chat, held } = await askHeld();
      held.send(context("Creating execution plan..."));
      await eventually(async () => {
        assert.match(await chat.progress(), /^Plan · 1\d s · no response for 1\d s$/);
      }, 30_000);
      await chat.composer.press("Escape");
      assert.equal((await chat.ended(count)).state, "stopped");
      await held.closed;
    });
  });

  describe("instead of a stream", () => {
    it("summarizes a traceback in one sentence, and logs all of it", async () => {
      open.proxy.set({ on: streams, answer: engineFailure });
      const chat = await ask();
      const run = await chat.ended(count);
      assert.equal(run.state, "failed");
      assert.equal(run.sentence, "[engine/model]: RuntimeError: out of memory.");
      await chat.button("Show Log").waitFor();
      await eventually(() => {
        assert.match(
          extensionLog(journey.workbench),
          /Asking rental_agent failed[^]*process_cache\.py/,
        );
      });
    });

    it("recognizes a web page that is not a MindsDB server", async () => {
      open.proxy.set({ on: streams, answer: webPage });
      const run = await (await ask()).ended(count);
      assert.equal(run.state, "failed");
      assert.match(run.sentence, /^A web page came back instead of data: /);
    });

    it("names a server that does not respond, and asks again when it is back", async () => {
      await open.proxy.refuse();
      const chat = await ask();
      const run = await chat.ended(count);
      assert.deepEqual(
        [run.state, run.sentence, run.buttons],
        ["failed", `Can't reach http://${open.address}.`, ["Ask Again"]],
      );
      await open.proxy.accept();
      open.proxy.set();
      await chat.askAgain();
      assert.equal((await chat.ended(++count)).state, "answered");
    });
  });

  describe("during an answer", () => {
    it("cuts the run off at a reload, and keeps everything received", async () => {
      const { chat, held } = await askHeld();
      held.send(
        context("Creating execution plan..."),
        context("Proposed Execution Plan:\nStep 1: Go"),
      );
      held.send(context("Generating agent response..."));
      await until(chat, ["Plan", "Thinking"]);
      await journey.reload();
      await held.closed;
      const run = await (await shown()).ended(count);
      assert.equal(run.state, "cutOff");
      assert.equal(
        run.sentence,
        "Cut off: the window was reloaded or closed before the answer was complete.",
      );
      assert.deepEqual(
        run.steps.map(({ words }) => words),
        ["Plan", "Thinking"],
      );
      await (await shown()).askAgain();
      assert.equal((await (await shown()).ended(++count)).state, "answered");
    });

    it("says that the agent was just deleted", async () => {
      const path = "/api/projects/mindsdb/agents/rental_agent";
      await fetch(open.behind + path, { method: "DELETE" });
      const run = await (await ask()).ended(count);
      assert.deepEqual(
        [run.state, run.sentence, run.buttons],
        ["failed", "The agent rental_agent no longer exists in mindsdb.", ["Ask Again"]],
      );
    });
  });

  describe("from recordings", () => {
    for (const version of ["26.1.0", "25.14.1"] as const) {
      it(`shows every recorded stream of ${version} with the outcome of its transcript`, async () => {
        const chat = await shown();
        const recordings = fs
          .globSync("*.sse", { cwd: path.join(fixtures, "streams", version) })
          .sort();
        assert.ok(recordings.length > 20);
        for (const file of recordings) {
          open.proxy.set({ on: streams, replay: readRecording(version, file), split: [113] });
          await ask(`As in ${file}`);
          const run = await chat.ended(count);
          const golden = path.join(
            fixtures,
            "transcripts",
            version,
            file.replace(/\.sse$/, ".txt"),
          );
          const states = run.steps.map(({ state }) => state);
          assert.deepEqual([run.state, ...states], statesOf(fs.readFileSync(golden, "utf8")), file);
        }
        open.proxy.set();
      }).timeout(180_000);
    }
  });

  describe("on a server that requires a sign-in", () => {
    it("offers Sign In if the user is not signed in", async () => {
      await journey.tree.expand(["Guarded"]);
      const problem = `The server at http://${server.address} asks you to sign in.`;
      await journey.tree.click(["Guarded", "Signed out"]);
      await journey.workbench.quickInput.signIn(canaries, { keep: true });
      const chat = await journey.chatWith("Guarded", "support", "manual_agent");
      await chat.ask("How do I descale the kettle?");
      assert.equal((await chat.ended(1)).state, "answered");

      await journey.tree.contextMenu(["Guarded"], "Sign Out");
      await journey.tree.find(["Guarded", "Signed out"]);
      await chat.ask("And the oven?");
      const run = await chat.ended(2);
      assert.deepEqual([run.state, run.sentence], ["failed", problem]);
      await chat.button("Sign In").click();
      await journey.workbench.quickInput.signIn(canaries, { keep: true });
      await journey.tree.find(["Guarded", "support"]);
      await chat.askAgain();
      assert.equal((await chat.ended(3)).state, "answered");
    });

    it("signs in again unnoticed if the server restarts between two questions", async () => {
      const chat = await journey.chat("manual_agent");
      server.forget();
      await server.restart();
      await chat.ask("And the dishwasher?");
      assert.equal((await chat.ended(4)).state, "answered");
      assert.equal(server.requests(/login/).length, 1);
      const [refused, repeated] = server.logged(streams);
      assert.deepEqual([refused?.status, repeated?.status], [401, 200]);
      assert.deepEqual(repeated?.body, refused?.body);
    });

    it("does not show a key that an error contains", async () => {
      const chat = await journey.chat("manual_agent");
      const asked = server.hold();
      await chat.ask("What went wrong?");
      const held = await asked;
      const { apiKey, password, token } = canaries;
      const leak = `401 from the model: {'api_key': '${apiKey}'}, as ${password} with Bearer ${token}`;
      held.send(context(leak), { type: "error", content: leak }, end);
      held.end();
      const run = await chat.ended(5);
      assert.match(run.sentence, /^The agent failed: 401 from the model: \{'api_key': '\*+'\}/);
    });

    itLeavesNoSecrets(journey);
  });
});

/** The outcome of a golden transcript, followed by the states of its steps. */
function statesOf(golden: string): string[] {
  const ended = { "no answer": "noAnswer", "cut off": "cutOff" } as Record<string, string>;
  const state = /^Ended: ([\w ]+)/m.exec(golden)?.[1] ?? "";
  const steps = [...golden.matchAll(/^\d+\. .*: (\w+)$/gm)].map(([, state = ""]) => state);
  return [ended[state] ?? state, ...steps];
}
