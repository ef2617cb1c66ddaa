// The rows of an SQL answer, cut out of its JSON.
import assert from "node:assert/strict";
import { cutRows } from "../../../src/mindsdb/http/rowText.ts";

describe("rows cut out of an answer", () => {
  const cut = (json: string | Buffer, maxValues = 1_000) => {
    const { rest, rows } = cutRows(Buffer.from(json), maxValues) ?? {};
    return { rest, rows: rows?.json.toString(), length: rows?.length };
  };

  it("are the list called data, wherever it stands", () => {
    const cases: [answer: string, rest: string, rows: string, length: number][] = [
      ['{"data":[[1.0],[2]],"type":"table"}', '{"data":[],"type":"table"}', "[[1.0],[2]]", 2],
      ['{ "a" : {"data":[[0]]}, "data" : [ ] }', '{ "a" : {"data":[[0]]}, "data" : [] }', "[ ]", 0],
      ['{"a":["data",[1]],"data":[[[],{}]]}', '{"a":["data",[1]],"data":[]}', "[[[],{}]]", 1],
      ['{"a":"data","data":[["]\\"["]]}', '{"a":"data","data":[]}', '[["]\\"["]]', 1],
    ];
    for (const [answer, rest, rows, length] of cases) {
      assert.deepEqual(cut(answer), { rest, rows, length }, answer);
    }
  });

  it("are not there in other answers, which stay as they are", () => {
    const answers = [
      '{"type":"ok"}',
      '{"data":{"data":[[1]]}}',
      '{"data":"[[1]]"}',
      '[{"data":[[1]]}]',
      '"data":[[1]]',
      '{"data":[[1]',
      '{"data',
      '{"data":"\\',
      "",
    ];
    for (const rest of answers) {
      assert.deepEqual(cut(rest), { rest, rows: undefined, length: undefined }, rest);
    }
  });

  it("are refused if the answer holds too many values", () => {
    const answer = '{"data":[[1,2],[3,4]],"type":"table"}';
    assert.equal(cut(answer, 9).length, 2);
    assert.equal(cutRows(Buffer.from(answer), 8), undefined);
    assert.equal(cutRows(Buffer.from(`{"data":${"[".repeat(1_000_000)}`), 8), undefined);
  });

  it("are UTF-8 whatever the server sent", () => {
    const wrong = Buffer.concat([
      Buffer.from('{"data":[["'),
      Buffer.from([0xff]),
      Buffer.from('ä"]]}'),
    ]);
    assert.equal(cut(wrong).rows, '[["\ufffdä"]]');
  });
});
