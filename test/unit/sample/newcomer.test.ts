// What newcomers try on the sample server works, or they are told plainly that it does not.
import assert from "node:assert/strict";
import { SampleClient } from "./client.ts";

describe("newcomers on the sample server", () => {
  const client = new SampleClient();
  before(() => client.start());
  after(() => client.stop());

  describe("in SQL", () => {
    it("get the least and the greatest text of a column", async () => {
      const { rows } = await client.sql(
        "SELECT min(neighborhood), max(neighborhood), min(sqft) FROM files.home_rentals",
      );
      assert.deepEqual(rows, [["harbor", "station", 177]]);
    });

    it("are told that texts have no sum and no average", async () => {
      for (const name of ["sum", "avg"]) {
        const { error } = await client.sql(`SELECT ${name}(location) FROM files.home_rentals`);
        assert.match(error, /"great"|"good"|"poor"/, name);
        assert.match(error, new RegExp(name));
      }
    });

    it("read a view, and a data source that connects beside two that do not", async () => {
      const rows = async (sql: string) => (await client.sql(sql)).rows;
      const error = async (sql: string) => (await client.sql(sql)).error;
      const [[most]] = (await rows("SELECT max(rental_price) FROM mindsdb.affordable_homes")) as [
        [number],
      ];
      assert.ok(most < 2000, String(most));
      assert.deepEqual(await rows("SELECT count(*) FROM lantern_lane.public.tenants"), [[3]]);
      const archive = await error("SELECT * FROM lantern_archive.public.tenants");
      assert.match(archive, /password authentication failed/);
      assert.match(await error("SELECT * FROM old_office.public.tenants"), /Connection refused/);
    });

    it("see what is in the project of the statement", async () => {
      const { rows } = await client.sql("SHOW TABLES");
      const names = rows.flat();
      for (const name of ["rental_agent", "rental_guide", "home_rentals_model"]) {
        assert.ok(names.includes(name), name);
      }
      assert.match((await client.sql("SHOW TABLES FROM nowhere")).error, /nowhere/);
    });

    it("can create a project however they space the words", async () => {
      assert.equal((await client.sql("CREATE  PROJECT\nspaced")).error, "");
      assert.match((await client.sql("CREATE PROJECT")).error, /Syntax error/);
      const { rows } = await client.sql("SHOW DATABASES");
      assert.ok(rows.flat().includes("spaced"));
      assert.ok(!rows.flat().includes("project"));
    });

    it("get the reason as the error of the statement if a model lacks its inputs", async () => {
      const { error } = await client.sql("SELECT * FROM mindsdb.home_rentals_model");
      assert.match(error, /missing input columns/);
    });

    for (const [statement, words] of [
      ["SHOW JOBS", "SHOW JOBS"],
      ["SHOW  views", "SHOW VIEWS"],
      ["EXPLAIN SELECT 1", "EXPLAIN"],
      ["WITH x AS (SELECT 1) SELECT * FROM x", "WITH"],
      [
        'CREATE DATABASE pg WITH ENGINE = \'postgres\', PARAMETERS = {"host": "x"}',
        "CREATE DATABASE",
      ],
      ["DROP PROJECT support", "DROP PROJECT"],
      ["CREATE AGENT a USING data = {'tables': ['files.t']}", "CREATE AGENT"],
      ["alter knowledge_base k USING id_column = 'i'", "ALTER KNOWLEDGE BASE"],
      ["EVALUATE accuracy FROM t", "EVALUATE"],
    ] as const) {
      it(`are told that ${words} is not run`, async () => {
        const { error } = await client.sql(statement);
        assert.equal(error, `The sample server does not run ${words}.`);
      });
    }

    it("name a project with USE for each request that says so", async () => {
      assert.equal((await client.sql("USE files;")).error, "");
      assert.equal((await client.sql("USE `Files`")).error, "Database Files does not exists");
      const query = "SELECT count(*) FROM home_rentals";
      const context = { db: "files" };
      assert.match((await client.sql(query)).error, /not found in database: mindsdb/);
      assert.equal((await client.sql(query, { context })).error, "");
    });

    for (const clause of [
      "GROUP BY location HAVING count(*) > 1",
      "ORDER BY avg(sqft)",
      "JOIN files.neighborhoods ON a = b",
      "UNION SELECT 1",
    ]) {
      it(`are told that only simple statements are run: ${clause}`, async () => {
        const { error } = await client.sql(`SELECT location FROM files.home_rentals ${clause}`);
        assert.match(error, /^Syntax error: unexpected "\S+"/);
        assert.match(error, /sample server runs only simple SQL/);
      });
    }

    it("get predictions for the rows of a table, however they join the model", async () => {
      const [first, ...others] = await Promise.all(
        ["JOIN", "LEFT JOIN", "INNER JOIN"].map((join) =>
          client.sql(
            `SELECT t.sqft, m.rental_price FROM files.home_rentals t ${join} mindsdb.home_rentals_model m LIMIT 3`,
          ),
        ),
      );
      assert.equal(first?.rows.length, 3);
      for (const other of others) assert.deepEqual(other, first);
    });

    it("get all columns of a table beside the prediction", async () => {
      const { columns, rows, error } = await client.sql(
        "SELECT t.*, m.rental_price AS predicted FROM files.home_rentals AS t JOIN mindsdb.home_rentals_model AS m LIMIT 2",
      );
      assert.equal(error, "");
      assert.deepEqual(columns.slice(-2), ["rental_price", "predicted"]);
      assert.deepEqual([columns.length, rows.length, rows[0]?.length], [8, 2, 8]);
    });

    it("are told what a model is trained with", async () => {
      const from = "CREATE MODEL mindsdb.m FROM files (SELECT * FROM home_rentals) PREDICT sqft";
      assert.match((await client.sql(`${from} USING engine = 'lightwood'`)).error, /'sample'/);
      const generative = "CREATE MODEL mindsdb.m PREDICT answer USING engine = 'openai'";
      assert.match((await client.sql(generative)).error, /FROM/);
    });

    it("are told what can be described", async () => {
      const { error } = await client.sql("DESCRIBE files.home_rentals");
      assert.match(error, /describes only models and knowledge bases/);
    });
  });

  describe("in questions", () => {
    const answer = async (agent: string, ...questions: string[]): Promise<string> =>
      (await client.ask(agent, ...questions)).answer;
    const sqlOf = async (...questions: string[]): Promise<string> =>
      (await client.ask("rental_agent", ...questions)).sql.join(" ");

    for (const question of ["What can you do?", "Who are you?", "What data do you have?", "Help"]) {
      it(`learn what an agent has: ${question}`, async () => {
        for (const agent of ["rental_agent", "prices_agent"]) {
          assert.match(await answer(agent, question), /I answer questions from the table/);
        }
      });
    }

    it("learn that an agent cannot answer, and what it has", async () => {
      const text = await answer("prices_agent", "May I keep a dog?");
      assert.match(text, /^I can't answer that\. I answer questions from the table/);
    });

    it("count what they ask for, not everything", async () => {
      assert.match(await sqlOf("How many homes have no rooms?"), /number_of_rooms = 0/);
      assert.match(await sqlOf("How many homes are larger than 1000 sqft?"), /COUNT.*sqft > 1000/);
      assert.match(await sqlOf("How many homes are smaller than 300 sqft?"), /COUNT.*sqft < 300/);
      assert.match(await sqlOf("How many homes are in home_rentals?"), /COUNT/);
    });

    it("get no figure for a column that the table lacks", async () => {
      const text = await answer("rental_agent", "Which neighborhood has the most parks?");
      assert.doesNotMatch(text, /rental_price/);
    });

    it("get the average of what they ask the price of", async () => {
      const average = await answer("rental_agent", "What is the average rent in Old Town?");
      for (const question of [
        "What's the rent in Old Town?",
        "How much is the rent in old town?",
        "How much does a home in Old Town cost?",
        "How much is a flat in Old Town?",
        "What does a home in Old Town cost?",
        "rent in old town",
      ]) {
        assert.equal(await answer("rental_agent", question), average, question);
      }
      assert.match(await sqlOf("How long are homes on the market?"), /AVG\(days_on_market\)/);
      for (const question of ["How much does parking cost?", "When is the rent due?"]) {
        assert.match(await sqlOf(question), /rental_guide/, question);
      }
    });

    it("get the average price when they ask for the price of nothing in particular", async () => {
      for (const question of ["What is the price?", "price", "How much is a flat?"]) {
        assert.match(await sqlOf(question), /AVG\(rental_price\)/, question);
      }
    });

    for (const request of ["write me code", "Can you write a Python script?", "Delete all homes"]) {
      it(`are told in one sentence that agents only answer questions: ${request}`, async () => {
        for (const agent of ["rental_agent", "prices_agent"]) {
          assert.match(
            await answer(agent, request),
            /^I can't do that: I only answer questions from the table [^\n]+`\.$/,
          );
        }
      });
    }

    it("learn why an agent finds nothing", async () => {
      for (const question of ["Darf ich einen Hund halten?", "how many hoems are there?"]) {
        assert.match(await answer("rental_agent", question), /only simple questions in English\.$/);
      }
    });

    it("compare neighborhoods, not homes", async () => {
      assert.match(await sqlOf("Which is the cheapest neighborhood?"), /GROUP BY neighborhood/);
    });

    it("ask on with a number alone", async () => {
      const questions = ["How many homes have two rooms?", "And with three?", "And in the harbor?"];
      assert.match(await sqlOf(...questions.slice(0, 2)), /COUNT.*number_of_rooms = 3$/);
      assert.match(
        await sqlOf(...questions),
        /COUNT.*neighborhood = 'harbor' AND number_of_rooms = 3$/,
      );
    });

    it("are told that no row is meant instead of an empty figure", async () => {
      const text = await answer("rental_agent", "What is the average rent of homes under 100?");
      assert.match(text, /^There are no homes with rental_price < 100/);
    });

    it("are told that no home is in a place the table does not name", async () => {
      for (const [question, place] of [
        ["What is the average rental price in downtown?", "downtown"],
        ["What is the average rent in New Haven?", "New Haven"],
        ["Which location has the highest average price in Berlin?", "Berlin"],
      ] as const) {
        const text = await answer("rental_agent", question);
        assert.equal(text, `There are no homes with neighborhood = ${place}.`, question);
      }
      const cheapest = await sqlOf("What is the cheapest home in L'Aquila?");
      assert.match(cheapest, /WHERE neighborhood = 'L''Aquila' ORDER BY/);
      for (const words of ["in total", "in home_rentals", "in dollars", "in each neighborhood"]) {
        assert.doesNotMatch(await sqlOf(`How many homes are there ${words}?`), /WHERE/, words);
      }
    });

    it("see the rows that they counted", async () => {
      const counted = "How many homes are in the harbor?";
      for (const list of ["Show them", "List those"]) {
        assert.match(await sqlOf(counted, list), /neighborhood = 'harbor' LIMIT 100/, list);
      }
      assert.match(await sqlOf(counted, "Which is the cheapest?"), /LIMIT 1$/);
    });

    it("learn which topics a knowledge base covers", async () => {
      assert.match(await answer("rental_agent", "Which topics are covered?"), /documents:/);
    });
  });
});
