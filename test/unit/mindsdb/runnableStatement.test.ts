// The statement of a search whose filters a server's vector store has rejected, as that of 25.14.1 does with LIKE.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import type { HttpRequest } from "../../../src/mindsdb/http/transport.ts";
import {
  RejectedFilters,
  runnableStatement,
  searchKnowledgeBase,
  type Filter,
} from "../../../src/mindsdb/searchKnowledgeBase.ts";
import { clientOver } from "../../clientOver.ts";

const notes = { project: "mindsdb", name: "notes" };
const contains = (value: string): Filter => ({ column: "label", operator: "contains", value });
const equals: Filter = { column: "label", operator: "=", value: "a" };
const search = (...filters: Filter[]) => ({ question: "dogs", limit: 5, filters });

/** A server without LIKE. */
const send = ({ body }: HttpRequest) => {
  const answer = (body as string).includes("LIKE")
    ? { type: "error", error_code: 0, error_message: "Operator like is not supported" }
    : { type: "table", column_names: ["id", "chunk_content"], data: [["1", "A dog."]] };
  return Promise.resolve({
    status: 200,
    headers: { "content-type": "application/json" },
    body: Readable.from([Buffer.from(JSON.stringify(answer))]),
  });
};
const client = clientOver({ send, close: () => Promise.resolve() });

describe("The statement of a search to copy", () => {
  it("lacks the filters that the server has rejected, and says which", async () => {
    const rejected = new RejectedFilters();
    const statement = (...filters: Filter[]) =>
      runnableStatement(notes, search(...filters), rejected);
    assert.match(statement(contains("x")).query, /LIKE/);
    await searchKnowledgeBase(client, notes, search(contains("x")), { rejected });
    const { query, left } = statement(contains("y"));
    assert.equal(query, "SELECT * FROM `mindsdb`.`notes` WHERE content = :question LIMIT 100");
    assert.deepEqual(left, [contains("y")]);
    assert.deepEqual(statement(equals).left, []);
    // Left out of the statement from the start: a server would insert the quote as it is.
    const quote: Filter = { ...equals, value: "it's" };
    assert.deepEqual(statement(quote, equals).left, [quote]);
  });
});
