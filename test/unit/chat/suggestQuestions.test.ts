// Suggested questions: based on an agent's data, and answerable by the agents of the sample server.
import assert from "node:assert/strict";
import type { HttpRequest } from "../../../src/mindsdb/http/transport.ts";
import { readConnectedData } from "../../../src/chat/host/connectedData.ts";
import {
  splitIntoWords,
  isPlural,
  knowledgeBaseName,
  formatMeasure,
  plural,
  findRowNoun,
  singular,
} from "../../../src/chat/suggestions/questionNouns.ts";
import {
  suggestQuestions,
  type ConnectedData,
} from "../../../src/chat/suggestions/suggestQuestions.ts";
import { askAgent, createAgent } from "../../../src/mindsdb/agents.ts";
import { startTestServer } from "../../sampleServer/server.ts";
import { useTestClient } from "../../useTestClient.ts";
import { clientOf } from "../mindsdb/scriptedServer.ts";

const suggest = (data: Partial<ConnectedData>) =>
  suggestQuestions({ tables: [], knowledgeBases: [], ...data });

const expected = {
  rental_agent: [
    "Which location has the highest average rental price?",
    "What does the rental guide say about Pets?",
    "Which neighborhoods have the most home rentals?",
    "What does the rental guide say about Deposit?",
  ],
  prices_agent: [
    "Which location has the highest average rental price?",
    "Which neighborhoods have the most parks?",
    "Which neighborhoods have the most home rentals?",
    "How many neighborhoods are there?",
  ],
  manual_agent: [
    "What do the appliance manuals say about Washing machine W4: first wash?",
    "What do the appliance manuals say about Washing machine W4: code E18?",
  ],
};

describe("Suggested questions", () => {
  it("ask about measures by group, and leave out columns that only identify or count rows", () => {
    const columns = ["order_id", "city", "note", "year", "net_price"];
    const rows = [
      [1, "Ghent", "a", 2024, "10.5"],
      [2, "Ghent", "b", 2024, "7"],
      [3, "Oslo", null, 2025, null],
    ];
    assert.deepEqual(suggest({ tables: [{ name: "tbl_order", columns, rows }] }), [
      "Which city has the highest average net price?",
      "Which cities have the most orders?",
      "What is the highest net price?",
      "How many orders are there?",
    ]);
  });

  it("read naturally, whatever the names look like", () => {
    assert.equal(splitIntoWords("RENTAL_PRICE"), "rental price");
    assert.equal(splitIntoWords("rentalPrice2"), "rental price2");
    assert.equal(splitIntoWords("GDP_per-capita"), "GDP per capita");
    const rows = { tbl_order: "orders", Customers: "customers", city: "cities", person: "people" };
    for (const [table, noun] of Object.entries(rows)) assert.equal(findRowNoun(table), noun);
    for (const table of ["sales_2024", "sheet1", "order_data"]) {
      assert.equal(findRowNoun(table), undefined, table);
    }
    assert.equal(formatMeasure("days_on_market"), "number of days on market");
    assert.equal(formatMeasure("number_of_rooms"), "number of rooms");
    assert.equal(formatMeasure("net_price"), "net price");
    assert.equal(knowledgeBaseName("product_kb"), "product knowledge base");
    assert.equal(knowledgeBaseName("kbase"), "kbase");
    for (const one of ["status", "address", "city", "box", "house", "branch"]) {
      assert.ok(!isPlural(one), one);
      assert.ok(isPlural(plural(one)), plural(one));
      assert.equal(singular(plural(one)), one);
    }
  });

  it("group by categories, not by dates or booleans", () => {
    const columns = ["sold", "day", "district", "price"];
    const rows = [
      ["yes", "2024-01-05", "north", 1],
      ["no", "2024-01-05", "south", 2],
      ["yes", "2024-01-06", "north", 3],
    ];
    const [first] = suggest({ tables: [{ name: "homes", columns, rows }] });
    assert.equal(first, "Which district has the highest average price?");
  });

  it("ask for the rows of a table whose name is not a noun", () => {
    const tables = [{ name: "sales_2024", columns: ["a"], rows: [["x"]] }];
    assert.deepEqual(suggest({ tables }), ["How many rows does sales 2024 have?"]);
  });

  it("use only the name of a table that could not be read", () => {
    const tables = [{ name: "orders", columns: [], rows: [] }];
    const knowledgeBases = [{ name: "house_rules", subjects: [] }];
    assert.deepEqual(suggest({ tables, knowledgeBases }), [
      "How many orders are there?",
      "What topics do the house rules cover?",
    ]);
  });

  it("are at most four, one about each data source first, and none without data", () => {
    const tables = ["a", "b"].map((name) => ({ name, columns: ["n"], rows: [[1]] }));
    const knowledgeBases = [{ name: "k", subjects: ["x", "y", "z"] }];
    assert.deepEqual(suggest({ tables, knowledgeBases }), [
      "What is the highest n?",
      "What does the k say about x?",
      "How many as are there?",
      "How many bs are there?",
    ]);
    assert.deepEqual(suggest({}), []);
  });

  it("look at a few entries of an agent only: each pattern asks the server for a list", async () => {
    const seen: HttpRequest[] = [];
    const tables = Array.from({ length: 2_000 }, (_, at) => `pg.x${at}*`);
    const client = clientOf(
      {
        "/api/projects/mindsdb/agents/a": { name: "a", data: { tables, knowledge_bases: tables } },
        "/api/tree/pg?all_schemas=true": [{ name: "t", class: "table" }],
        "/api/projects/pg/knowledge_bases": [],
      },
      { seen },
    );
    const agent = { connectionId: "c", project: "mindsdb", name: "a" };
    const { signal } = new AbortController();
    assert.deepEqual(suggest(await readConnectedData(client, agent, signal)), []);
    assert.ok(seen.length < 50, String(seen.length));
  });

  for (const dialect of ["25", "26"] as const) {
    describe(`on a server of version ${dialect}.x`, () => {
      const sample = useTestClient(() => startTestServer({ dialect, stepDelay: 0 }));

      const questionsFor = async (project: string, name: string) => {
        const agent = { connectionId: "c", project, name };
        return suggest(await readConnectedData(sample.client, agent, new AbortController().signal));
      };

      for (const [project, name] of [
        ["mindsdb", "rental_agent"],
        ["mindsdb", "prices_agent"],
        ["support", "manual_agent"],
      ] as const) {
        it(`can be answered by ${name}`, async () => {
          const questions = await questionsFor(project, name);
          assert.ok(questions.length >= 2, questions.join("\n"));
          assert.deepEqual(questions, expected[name]);
          for (const question of questions) {
            const asked = askAgent(sample.client, project, name, [{ question, answer: "" }]);
            let answer = "";
            for await (const event of asked) {
              if (event.type === "answer") answer = event.text;
            }
            assert.notEqual(answer, "", question);
            assert.doesNotMatch(answer, /found nothing|^Hello/, question);
          }
        });
      }

      it("are empty if the agent or its data is gone", async () => {
        await assert.rejects(questionsFor("mindsdb", "nobody"));
        await createAgent(sample.client, "mindsdb", { name: "bare" });
        assert.deepEqual(await questionsFor("mindsdb", "bare"), []);
      });
    });
  }
});
