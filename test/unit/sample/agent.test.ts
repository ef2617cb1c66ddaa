// The agents of the sample server: their steps run real queries and use the messages of real servers.
import assert from "node:assert/strict";
import { startTestServer } from "../../sampleServer/server.ts";
import type { SampleServer } from "../../../src/sample/server/server.ts";
import { distinctStreams, toText } from "../mindsdb/stream/recorded.ts";

type Data = Record<string, unknown>;
interface Step {
  action: { tool: string; tool_input: string };
  observation: string;
}

const rentalAgent = "/api/projects/mindsdb/agents/rental_agent";
const manualAgent = "/api/projects/support/agents/manual_agent";

function eventsOf(text: string): Data[] {
  const blocks = text.split("\n\n").filter((block) => block.trim() !== "");
  return blocks.map((block) => JSON.parse(block.replace(/^data: /, "")) as Data);
}

/** Returns the kind of an event: its type, its keys and the keys of its list items. */
function kindOf(event: Data): string {
  const [listed] = [event["actions"], event["steps"]]
    .filter(Array.isArray)
    .map((list) => list[0] as Data);
  const inner = listed ? Object.keys(listed) : [];
  const type = typeof event["type"] === "string" ? event["type"] : "";
  return JSON.stringify([Object.keys(event), type, inner]);
}

for (const dialect of ["26", "25"] as const) {
  describe(`sample agent, dialect ${dialect}`, () => {
    let server: SampleServer;

    before(async () => (server = await startTestServer({ dialect, stepDelay: 0 })));
    after(() => server.stop());

    async function post(target: string, body: unknown): Promise<Response> {
      return fetch(server.url + target, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    }

    async function ask(agent: string, question: string, before: Data[] = []): Promise<Data[]> {
      const messages = [...before, { question, answer: "" }];
      const response = await post(`${agent}/completions/stream`, { messages });
      assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
      return eventsOf(await response.text());
    }

    async function sql(query: string): Promise<unknown[][]> {
      const answer = (await (await post("/api/sql/query", { query })).json()) as {
        data: unknown[][];
      };
      return answer.data;
    }

    /** Returns the answer: text, or the table of a final query. */
    function answerOf(events: Data[]): string {
      const last = events.filter((event) => event["type"] === "data" || "output" in event).at(-1);
      return String(last?.["text"] ?? last?.["content"] ?? last?.["output"]);
    }

    /** Returns the statements that it ran and their results, in order. */
    function queriesOf(events: Data[]): { sql: string; result: string }[] {
      if (dialect === "25") {
        const steps = events.flatMap((event) => (event["steps"] as Step[] | undefined) ?? []);
        return steps
          .filter(({ action }) => action.tool.endsWith("_query") || action.tool === "kb_query_tool")
          .map(({ action, observation }) => ({ sql: action.tool_input, result: observation }));
      }
      const texts = events.map((event) => String(event["content"]));
      const statements = texts.flatMap(
        (text) => /^Executing \w+ SQL query: ([^]*)/.exec(text)?.[1] ?? [],
      );
      const results = texts.filter((text) => /^(Query result: |Error executing)/.test(text));
      return statements.map((statement, i) => ({ sql: statement, result: results[i] ?? "" }));
    }

    it("sends only kinds of events that recorded servers send", async () => {
      const version = dialect === "26" ? "26.1.0" : "25.14.1";
      const recorded = distinctStreams.filter(({ name }) => name.startsWith(version));
      const known = new Set(recorded.flatMap(({ bytes }) => eventsOf(toText(bytes)).map(kindOf)));
      const asked = [
        await ask(rentalAgent, "Which neighborhood is the cheapest and may I have a dog there?"),
        await ask(rentalAgent, "Show the three largest homes"),
        await ask(rentalAgent, "Hello"),
        await ask(rentalAgent, "DROP TABLE files.home_rentals"),
      ];
      for (const event of asked.flat()) assert.ok(known.has(kindOf(event)), JSON.stringify(event));
    });

    it("starts and ends like real streams", async () => {
      const events = await ask(manualAgent, "What does E18 mean?");
      const types = events.map((event) => event["type"]);
      if (dialect === "26") {
        assert.equal(events[0]?.["content"], "Generating Data Catalog...");
        assert.deepEqual(types.slice(-3), ["data", "end", "end"]);
      } else {
        assert.deepEqual(events[0], { type: "start", prompt: "What does E18 mean?", trace_id: "" });
        assert.equal(types.filter((type) => type === "end").length, 1);
        assert.equal(types.at(-1), "end");
      }
    });

    it("computes averages from the table", async () => {
      const rows = await sql("SELECT location, rental_price FROM files.home_rentals");
      assert.equal(rows.length, 500);
      const great = rows
        .filter(([location]) => location === "great")
        .map(([, price]) => Number(price));
      const mean = great.reduce((sum, price) => sum + price, 0) / great.length;
      const events = await ask(rentalAgent, "What is the average rent by location?");
      const [query] = queriesOf(events);
      assert.match(query?.sql ?? "", /GROUP BY location/);
      assert.ok(query?.result.includes(String(mean).slice(0, 12)), query?.result);
      assert.ok(answerOf(events).includes(mean.toFixed(1).replace(/\.0$/, "")), answerOf(events));
    });

    it("counts with the conditions of a question", async () => {
      const [[count] = []] = await sql(
        "SELECT count(*) FROM files.home_rentals WHERE neighborhood = 'old_town' AND number_of_rooms = 2 AND rental_price < 2500",
      );
      assert.ok(Number(count) > 0);
      const events = await ask(
        rentalAgent,
        "How many homes in Old Town have two rooms and cost under 2,500?",
      );
      assert.ok(answerOf(events).includes(`**${String(count)}**`), answerOf(events));
    });

    it("returns requested rows as a table", async () => {
      const events = await ask(rentalAgent, "Show the three cheapest homes in the harbor");
      const rows = await sql(
        "SELECT rental_price FROM files.home_rentals WHERE neighborhood = 'harbor' ORDER BY rental_price LIMIT 3",
      );
      const lines = answerOf(events)
        .split("\n")
        .filter((line) => line.startsWith("|"));
      const cells = lines.slice(2).map((line) => line.split("|").at(-2)?.trim());
      assert.deepEqual(
        cells,
        rows.map(([price]) => String(price)),
      );
    });

    it("applies a condition to the other parts of the same question", async () => {
      const events = await ask(
        rentalAgent,
        "How many homes are there in old_town, and which are the 5 cheapest?",
      );
      const cheapest = await sql(
        "SELECT rental_price FROM files.home_rentals WHERE neighborhood = 'old_town' ORDER BY rental_price LIMIT 5",
      );
      const lines = answerOf(events)
        .split("\n")
        .filter((line) => /^\|.*\d/.test(line));
      assert.equal(lines.length, 5);
      for (const line of lines) assert.match(line, /old_town/);
      assert.deepEqual(
        lines.map((line) => Number(line.split("|").at(-2))),
        cheapest.map(([price]) => Number(price)),
      );
    });

    it("compares all groups after a question about one group", async () => {
      const events = await ask(
        rentalAgent,
        "How many homes are there in old_town, and which neighborhood is the cheapest?",
      );
      assert.match(queriesOf(events)[1]?.sql ?? "", /home_rentals GROUP BY neighborhood/);
    });

    it("searches the knowledge base, quotes it and names the document", async () => {
      const events = await ask(manualAgent, "What does E18 mean?");
      const [query] = queriesOf(events);
      const [[id] = []] = await sql(query?.sql ?? "");
      assert.equal(id, "washer-e18");
      assert.ok(query?.result.includes("washer-e18"));
      assert.match(answerOf(events), /E18 means the water does not drain\..* \[1\]/);
      assert.match(
        answerOf(events),
        /1\. \*Washing machine W4: code E18\* \(`washer-e18`, relevance 0\.\d\d\)/,
      );
    });

    it("answers a question of two parts from both its sources", async () => {
      const events = await ask(
        rentalAgent,
        "Which neighborhood is the cheapest and may I have a dog there?",
      );
      const statements = queriesOf(events).map((query) => query.sql);
      assert.equal(statements.length, 2);
      assert.match(statements[0] ?? "", /files\.home_rentals/);
      assert.match(statements[1] ?? "", /mindsdb\.rental_guide/);
    });

    it("uses the previous question to understand a follow-up", async () => {
      const question = "What is the average rent for two rooms?";
      const history = [{ question, answer: "It is known." }];
      const [query] = queriesOf(await ask(rentalAgent, "And in the harbor?", history));
      assert.match(query?.sql ?? "", /neighborhood = 'harbor' AND number_of_rooms = 2/);
    });

    describe("does not contradict itself", () => {
      const answer = async (...questions: string[]): Promise<string> => {
        const last = questions.at(-1) ?? "";
        const before = questions.slice(0, -1).map((question) => ({ question, answer: "Known." }));
        return answerOf(await ask(rentalAgent, last, before));
      };
      const rowsOf = (text: string): string[][] =>
        text
          .split("\n")
          .filter((line) => /^\|.*\d/.test(line))
          .map((line) =>
            line
              .split("|")
              .slice(1, -1)
              .map((cell) => cell.trim()),
          );
      const countIn = (text: string) => Number(/\*\*(\d+)\*\*/.exec(text)?.[1]);
      const bold = (text: string) => [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, word]) => word);

      for (const [question, list] of [
        ["How many homes are under 1000?", "List the homes under 1000"],
        [
          "How many homes have two bathrooms and two rooms?",
          "Show homes with two bathrooms and two rooms",
        ],
        [
          "How many homes have more than two rooms under 2500?",
          "Which homes have more than 2 rooms under 2500?",
        ],
        ["How many neighborhoods are there?", "List the neighborhoods"],
      ] as const) {
        it(`counts as many rows as it lists: ${list}`, async () => {
          const rows = rowsOf(await answer(list));
          assert.equal(countIn(await answer(question)), rows.length);
          assert.ok(rows.length > 3);
        });
      }

      for (const [one, other] of [
        [
          "Which neighborhood has the most homes?",
          "Which neighborhoods have the most home rentals?",
        ],
        ["Which neighborhood is the cheapest?", "What is the cheapest neighborhood?"],
        ["Is Old Town cheaper than the harbor?", "Which is cheaper, the harbor or Old Town?"],
        ["What is the cheapest home?", "Which home is the cheapest?"],
        ["What home has the highest rent?", "Which home is the most expensive?"],
        ["Which neighborhood is the most expensive?", "Which neighborhood is the priciest?"],
        ["Which neighborhoods are there?", "What neighborhoods do you have?"],
        ["May I keep a large dog?", "Can I have a large dog?"],
      ] as const) {
        it(`gives the same answer to another wording: ${other}`, async () => {
          assert.equal(await answer(other), await answer(one));
        });
      }

      it("uses the same figures in counts, comparisons and follow-ups", async () => {
        const groups = new Map(
          rowsOf(await answer("How many homes are there per neighborhood?")).map(([name, n]) => [
            name,
            Number(n),
          ]),
        );
        assert.equal(countIn(await answer("How many homes are there?")), 500);
        assert.equal(
          [...groups.values()].reduce((sum, n) => sum + Number(n), 0),
          500,
        );
        const [most, name] = bold(await answer("Which neighborhood has the most homes?"));
        assert.deepEqual(
          [Number(most), Math.max(...groups.values())],
          [groups.get(name), Number(most)],
        );
        const inHarbor = "How many homes are in the harbor?";
        assert.equal(countIn(await answer(inHarbor)), groups.get("harbor"));
        assert.equal(countIn(await answer(inHarbor, "And in Old Town?")), groups.get("old_town"));
        const chain = [inHarbor, "And in Old Town?", "What about hillcrest?"];
        assert.equal(countIn(await answer(...chain)), groups.get("hillcrest"));
        assert.match(await answer(...chain, "May I keep a dog?"), /\*Pets\*/);
        assert.match(await answer(...chain, "And may I keep a dog there?"), /\*Pets\*/);
      });

      it("inherits only what the previous question asked", async () => {
        const cheapest = rowsOf(
          await answer("How many homes have two rooms?", "Which are the three cheapest?"),
        );
        assert.deepEqual(
          [cheapest.length, ...cheapest.map(([rooms]) => rooms)],
          [3, "2", "2", "2"],
        );
        const [, dearest] = bold(
          await answer("Which neighborhood is the cheapest?", "What about the most expensive?"),
        );
        const averages = rowsOf(await answer("What is the average rent by neighborhood?"));
        assert.equal(dearest, averages[0]?.[0]);
        const [average] = bold(
          await answer("What is the average rent by neighborhood?", "And in the harbor?"),
        );
        assert.equal(average, averages.find(([name]) => name === "harbor")?.[1]);
      });
    });

    it("runs SQL from the question, and gives up after three failures", async () => {
      const good = await ask(rentalAgent, "SELECT count(*) FROM files.home_rentals");
      assert.match(answerOf(good), /500/);
      const bad = await ask(rentalAgent, "SELECT nope FROM files.home_rentals");
      const failures = queriesOf(bad);
      assert.equal(failures.length, 3);
      for (const { result } of failures) {
        assert.match(result, /Error.*Referenced column "nope" not found/s);
      }
      if (dialect === "26") {
        assert.deepEqual(
          bad.slice(-2).map((event) => event["type"]),
          ["error", "end"],
        );
      }
      const rows = await sql("SELECT count(*) FROM files.home_rentals");
      await ask(rentalAgent, "DROP TABLE files.home_rentals");
      assert.deepEqual(await sql("SELECT count(*) FROM files.home_rentals"), rows);
    });

    it("fails early, without a cause, if messages is not a list", async () => {
      const response = await post(`${rentalAgent}/completions/stream`, { messages: "Hi" });
      assert.deepEqual(eventsOf(await response.text()), [
        { error: "Error in completion event generator" },
        { type: "end" },
      ]);
    });

    it("gives the same answer to the same question", async () => {
      const question = "When do I get my deposit back?";
      assert.deepEqual(await ask(rentalAgent, question), await ask(rentalAgent, question));
    });

    it("answers without a stream like its server generation", async () => {
      const messages = [{ question: "May I keep a dog?", answer: "" }];
      const response = await post(`${rentalAgent}/completions`, { messages });
      const body = (await response.json()) as { message: { content: string } | string };
      if (dialect === "26") {
        assert.equal(response.status, 500);
        assert.deepEqual(body, { title: "KeyError", detail: "'trace_id'", message: "'trace_id'" });
      } else {
        assert.equal(response.status, 200);
        assert.match((body.message as { content: string }).content, /one dog may live in a home/);
      }
    });
  });
}
