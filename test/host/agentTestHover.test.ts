import assert from "node:assert/strict";
import * as vscode from "vscode";
import { hoverTexts } from "./providers.ts";
import { useTestConnection } from "./useTestServer.ts";
import { eventually, inWorkspace, workbench } from "./workbench.ts";

const secret = "sk-4Tq9vWz81LkPmX2dRb7YcN5hJ3sGfQe6";

/** The first test is on line 4, counted from 0. */
const file = `providers:
  - { id: "mindsdb:mindsdb/rental_agent", config: { connection: hover } }
prompts: ["{{question}}"]
tests:
  - { vars: { question: "May I keep a dog?" }, assert: [{ type: icontains, value: "bird ${secret}" }] }
  - { description: pets, vars: { question: ["May I keep a dog?", "May I keep a cat?"] } }
  - { vars: { question: "Is it nice?" }, assert: [{ type: llm-rubric, value: polite }] }
`;

describe("The hover of an agent test", () => {
  const server = useTestConnection("hover", { stepDelay: 0 });
  let uri: vscode.Uri;

  before("run the tests of a file twice", async () => {
    const { connections, agentTests } = await workbench();
    uri = inWorkspace("hover.agent-test.yaml");
    await vscode.workspace.fs.writeFile(uri, Buffer.from(file));
    const controller = await agentTests.load();
    await controller.files.discover();
    const connection = connections.find(server.id);
    assert.ok(connection);
    await controller.consent.agree([
      {
        file: uri.toString(),
        connection,
        kind: "agent",
        project: "mindsdb",
        name: "rental_agent",
        repeat: 1,
      },
    ]);
    const { token } = new vscode.CancellationTokenSource();
    const tests = [4, 5, 6].flatMap((line) => controller.files.findAt(uri, line));
    const request = new vscode.TestRunRequest(tests);
    for (let run = 0; run < 2; run++) await controller.run(request, token);
  });
  after(() => vscode.workspace.fs.delete(uri));

  /** The texts about runs in a line's hover, which explains keys too; without Markdown's escapes. */
  const hover = async (line: number): Promise<string[]> => {
    const texts = await hoverTexts(uri, new vscode.Position(line, 6));
    return texts
      .map((text) => text.replaceAll("\\", ""))
      .filter((text) => text.includes("Last runs:"));
  };

  it("says how the last runs went and why the last one failed, without secrets", async () => {
    const expected =
      /^Last runs: 0 of 2 passed, median time \d+\.\d s\.\n\nLast failure: .*icontains bird/;
    await eventually(async () => {
      const [text = ""] = await hover(4);
      assert.match(text, expected);
      assert.ok(!text.includes(secret));
    });
  });

  it("names the tests of a line with several", async () => {
    await eventually(async () => {
      const texts = await hover(5);
      assert.deepEqual(
        texts.map((text) => /^pets: (.*)\n\nLast runs: 2 of 2 passed.*$/.exec(text)?.[1]),
        ["May I keep a dog?", "May I keep a cat?"],
      );
    });
  });

  it("is absent where nothing was asked", async () => {
    assert.deepEqual([...(await hover(0)), ...(await hover(6))], []);
  });
});
