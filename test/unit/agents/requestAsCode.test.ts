import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { draftInstruction } from "../../../src/agents/draftInstruction.ts";
import { formatCurl, formatJson } from "../../../src/agents/requestAsCode.ts";
import { keyPlaceholder } from "../../../src/shared/usingClause.ts";

const key = "made-up-key-0001";

describe("A copied request", () => {
  it("has placeholders for keys, whatever their names", () => {
    const model = { provider: "openai", api_key: key, openai_api_key: key, model_name: "m" };
    const text = formatJson({ name: "a", model });
    assert.ok(!text.includes(key));
    assert.deepEqual(JSON.parse(text), {
      agent: {
        name: "a",
        model: { ...model, api_key: keyPlaceholder, openai_api_key: keyPlaceholder },
      },
    });
  });

  it("is one command, with a token only if the server needs one", () => {
    const request = {
      method: "POST" as const,
      address: "http://127.0.0.1:47334",
      path: "/api/projects/mindsdb/agents",
      fields: { name: "a" },
    };
    assert.match(
      formatCurl({ ...request, needsToken: true }),
      /^curl -X POST 'http:\/\/127\.0\.0\.1:47334\/api[^]*'Authorization: Bearer <your token>'/,
    );
    assert.doesNotMatch(formatCurl({ ...request, needsToken: false }), /Authorization/);
  });

  it("arrives in a shell unchanged, whatever it contains", () => {
    const command = (text: string) =>
      formatCurl({
        method: "PUT",
        address: "http://h",
        path: `/${encodeURIComponent(text)}`,
        fields: { prompt_template: text },
        needsToken: true,
      });
    // The shell prints each argument of `curl`. NUL cannot be part of an argument.
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
        (text) => {
          const script = `curl() { printf '%s\\0' "$@"; }\n${command(text)}`;
          const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
          const body = stdout.split("\0").at(-2) ?? "";
          assert.deepEqual(JSON.parse(body), { agent: { prompt_template: text } });
        },
      ),
      { numRuns: 25, examples: [["it's"], ["'; exit #"], ['\\ `x` $HOME "y"\n']] },
    );
  });
});

describe("A drafted instruction", () => {
  it("names every table with its columns and every knowledge base with its content", () => {
    const text = draftInstruction({
      tables: [
        { name: "files.home_rentals", columns: ["sqft", "rental_price"] },
        { name: "pg.public.orders", columns: [] },
      ],
      knowledgeBases: [
        { name: "mindsdb.guide", contentColumns: ["content"], metadataColumns: ["topic"] },
        { name: "mindsdb.bare", contentColumns: [], metadataColumns: [] },
      ],
      others: 3,
    });
    assert.match(text, /^- files\.home_rentals: sqft, rental_price$/m);
    assert.match(text, /^- pg\.public\.orders$/m);
    assert.match(text, /^- mindsdb\.guide: texts from content; can be filtered by topic$/m);
    assert.match(text, /^- mindsdb\.bare: texts$/m);
    assert.match(text, /3 more/);
  });

  it("does not mention kinds of data that the agent does not have", () => {
    const text = draftInstruction({ tables: [], knowledgeBases: [], others: 0 });
    assert.doesNotMatch(text, /Tables|Knowledge bases|more/);
  });
});
