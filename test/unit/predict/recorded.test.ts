// Every recorded answer of real servers to a prediction goes through the sender, over HTTP.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { AppError } from "../../../src/mindsdb/errors.ts";
import { createTransport } from "../../../src/mindsdb/http/transport.ts";
import { parseRows } from "../../../src/predict/rows/readRows.ts";
import { rowBytes, type Row } from "../../../src/predict/rows/row.ts";
import { listen } from "../mindsdb/httpServer.ts";
import { clientOver } from "../../clientOver.ts";
import { batchesOf, senderTo } from "./files.ts";

/** Recorded exchanges: those that the sample server is held to as well, and the others. */
const folders = ["http", "predict"].map((name) =>
  path.resolve(import.meta.dirname, "../../fixtures", name),
);

interface Exchange {
  name: string;
  sent: string;
  status: number;
  type: string;
  answer: string;
}

function readExchange(folder: string, file: string): Exchange | undefined {
  const text = fs.readFileSync(path.join(folder, file), "utf8").replaceAll("\r\n", "\n");
  const pattern =
    /^### REQUEST\nPOST \S+\/predict\n([^]*?)\n### (?:TIME.*\n### )?RESPONSE.*\n([^]*)$/;
  const [, asked, answered] = pattern.exec(text) ?? [];
  if (asked === undefined || answered === undefined) return undefined;
  const [head = "", ...body] = answered.split("\n\n");
  return {
    name: file.replace(/\.txt$/, ""),
    sent: asked.slice(asked.indexOf("\n\n") + 2).trim(),
    status: Number(head.split(" ")[1]),
    type: /^content-type: (.*)$/m.exec(head)?.[1] ?? "",
    answer: body.join("\n\n").trim(),
  };
}

const exchanges = folders.flatMap((folder) =>
  fs.globSync("*/*.txt", { cwd: folder }).flatMap((file) => readExchange(folder, file) ?? []),
);

/** What comes of an exchange: the replies, a row's refusal, a pause, or the end of the run. */
async function outcomeOf({ status, type, answer }: Exchange, rows: Row[]): Promise<string> {
  const server = await listen((_, response) => {
    response.writeHead(status, { "content-type": type }).end(answer);
  });
  const transport = createTransport(server.address);
  const client = clientOver(transport);
  const sender = senderTo(client, ({ error }) =>
    Promise.reject(new Error(`paused: ${error.kind}`)),
  );
  try {
    for await (const outcome of sender.send(batchesOf(rows, 1_000))) {
      if ("refused" in outcome) return `refused: ${outcome.refused}`;
      const replies = outcome.replies.map((row) => rowBytes(row).toString());
      return `replies: [${replies.join(",")}]`;
    }
    return "nothing";
  } catch (error) {
    return error instanceof AppError ? `ended: ${error.message}` : (error as Error).message;
  } finally {
    await transport.close();
    await server.close();
  }
}

describe("recorded predictions", () => {
  const one = parseRows(Buffer.from('[{"sqft":1}]'));

  it("exist for both servers", () => {
    assert.ok(exchanges.filter(({ name }) => name.startsWith("25.14.1/")).length >= 31);
    assert.ok(exchanges.filter(({ name }) => name.startsWith("26.1.0/")).length >= 41);
  });

  for (const exchange of exchanges.filter(({ status }) => status === 200)) {
    it(`have the bytes of every reply in ${exchange.name}`, async () => {
      const replies = JSON.parse(exchange.answer) as unknown[];
      const rows = replies.flatMap(() => one);
      const outcome = await outcomeOf(exchange, rows);
      assert.equal(outcome, rows.length === 0 ? "nothing" : `replies: ${exchange.answer}`);
    });
  }

  const endings: [answers: RegExp, outcome: RegExp][] = [
    [/model creation not completed/, /^ended: Error: model creation not completed\.$/],
    [/(Model|Project) (with name \S+ )?not found|does not exist/, /^ended: .*nope|not found|exist/],
    [/Authorization is required/, /^paused: signInNeeded$/],
    [/Did not attempt to load JSON/, /^ended: Did not attempt to load JSON/],
    [/MLEngineException/, /^refused: \[(lightwood|tiny)\/\w+\]: (?!.*(Traceback|File ")).+\.$/],
    [/./, /^refused: .+\.$/],
  ];
  for (const exchange of exchanges.filter(({ status }) => status !== 200)) {
    it(`become a sentence for ${exchange.name}`, async () => {
      const [, wanted] = endings.find(([answers]) => answers.test(exchange.answer))!;
      const outcome = await outcomeOf(exchange, one);
      assert.match(outcome, wanted);
      assert.doesNotMatch(outcome, /Traceback|\n/);
    });
  }
});
