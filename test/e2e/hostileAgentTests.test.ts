// A folder with hostile test files and an agent with hostile answers: the Test Explorer shows what is wrong with them,
// and VS Code stays usable.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "./lib/eventually.ts";
import { expectCount } from "./lib/expect.ts";
import { connectedTo, useServer, useWorkbench } from "./lib/journey.ts";
import { TestExplorer } from "./lib/testExplorer.ts";

const head = "providers: ['mindsdb:mindsdb/rental_agent']\nprompts: ['{{question}}']\n";
const many = (count: number, item: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => item(n)).join(", ");

const files: Record<string, string> = {
  "h1-assertions.agent-test.yaml": `${head}defaultTest: {assert: [${many(15_000, () => "{type: is-json}")}]}\ntests:\n- vars: {question: [${many(4_000, (n) => `q${String(n)}`)}]}`,
  "h2-errors.agent-test.yaml": `${head}tests:\n${'- "a" "b"\n'.repeat(50_000)}`,
  "h3-large.agent-test.yaml": `# ${"x".repeat(20_000_000)}`,
  "h4-pattern.agent-test.yaml": `${head}tests:\n- {description: pattern, vars: {question: q}, assert: [{type: regex, value: '${"(?:".repeat(20_000)}a${"|b)".repeat(20_000)}'}]}`,
  "h5-names.agent-test.yaml": `${head}tests:\n- {description: "$(trash) a\\e[2J\\u202Eb", vars: {question: q}, assert: [{type: contains-json}]}\n- {description: slow, vars: {question: q}, assert: [${many(100, () => "{type: regex, value: '^(x+)+$'}")}]}`,
  "z-usual.agent-test.yaml": `${head}tests:\n- {description: usual, vars: {question: q}, assert: [{type: contains, value: fine}]}\n`,
};

describe("Hostile agent tests", () => {
  const server = useServer();
  const journey = useWorkbench(() => connectedTo({ Rentals: server }));
  let tests: TestExplorer;

  it("are read, with pipes and folders named like them", async () => {
    const { folder } = journey.workbench;
    for (const [name, text] of Object.entries(files)) {
      fs.writeFileSync(path.join(folder, name), text);
    }
    fs.mkdirSync(path.join(folder, "h6-folder.agent-test.yaml"));
    if (process.platform !== "win32") {
      const { status } = spawnSync("mkfifo", [path.join(folder, "h7-pipe.agent-test.yaml")]);
      assert.equal(status, 0);
      fs.symlinkSync("/dev/zero", path.join(folder, "h8-device.agent-test.yaml"));
    }
    tests = await TestExplorer.open(journey.workbench);
    // Files are read at the same time, and the small ones are there first.
    for (const name of ["z-usual", "h5-names", "h3-large"]) {
      const row = tests.row(name);
      await eventually(async () => {
        if (await row.isVisible()) return;
        // VS Code reports nothing that was written between its search for files and the start of its watcher.
        const now = new Date();
        fs.utimesSync(path.join(folder, `${name}.agent-test.yaml`), now, now);
        await row.waitFor({ timeout: 20_000 });
      }, 120_000);
    }
  });

  it("show names as they are, without icons, and nothing that a terminal obeys", async () => {
    await tests.expand("h5-names.agent-test.yaml");
    const row = tests.row("trash");
    await row.waitFor();
    await eventually(async () => {
      const label = await row.locator(".label").innerText();
      assert.equal(label.replace("\u200B", ""), String.raw`$(trash) a\u{1B}[2J\u{202E}b`);
    });
    await expectCount(row.locator(".label .codicon-trash"), 0);
  });

  it("are errors where an answer cannot be judged, and the next test runs", async () => {
    await server.answerNext("{ a ".repeat(25_000), () => tests.run("trash", true));
    await tests.expectState("trash", "error");
    await tests.expand("z-usual.agent-test.yaml");
    await server.answerNext("fine", () => tests.run("usual", true));
    await tests.expectState("usual", "passed");
  });

  it("can be cancelled while their patterns take exponential time", async () => {
    await server.answerNext(`${"x".repeat(40)}!`, () => tests.run("slow"));
    await journey.workbench.command("Test: Cancel Test Run");
    await eventually(async () => assert.notEqual(await tests.state("slow"), "loading"));
    await server.answerNext("fine", () => tests.run("usual"));
    await tests.expectState("usual", "passed");
  });
});
