import assert from "node:assert/strict";
import * as v from "valibot";
import { decodeOne } from "../../../src/mindsdb/decode.ts";
import { isAppError, type AppError } from "../../../src/mindsdb/errors.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";

const schema = v.looseObject({ type: v.literal("table"), data: v.array(v.array(v.unknown())) });

/** Counts the characters that are searched for secrets. */
class CountingSecrets extends Secrets {
  searched = 0;

  override redactValue(value: unknown): unknown {
    this.searched += JSON.stringify(value)?.length ?? 0;
    return super.redactValue(value);
  }
}

function failure(answer: unknown, secrets = new Secrets()): AppError {
  try {
    decodeOne(schema, answer, secrets);
  } catch (error) {
    assert.ok(isAppError(error, "badAnswer"), String(error));
    return error;
  }
  assert.fail("The answer was accepted.");
}

describe("the error of an answer that is not what was asked for", () => {
  it("shows the beginning of the answer without secrets", () => {
    const password = "correct-horse-battery";
    const { detail } = failure({ rows: [{ name: "a", password }], type: "list", ok: null, n: 1 });
    assert.equal(
      detail,
      '{"rows":[{"name":"a","password":"******"}],"type":"list","ok":null,"n":1}',
    );
  });

  it("knows a secret by a key that stands after it", () => {
    const { detail = "" } = failure({
      list: [{ value: `x${"long ".repeat(10_000)}`, key: "api_key" }],
    });
    assert.doesNotMatch(detail, /long/);
  });

  it("masks half a secret at the end of a long text", () => {
    const secrets = new Secrets();
    const known = "correct-horse-battery-staple-of-made-up-words";
    secrets.learn({ password: known });
    const { detail = "" } = failure({ text: " ".repeat(3_980) + known }, secrets);
    assert.doesNotMatch(detail, /correct/);
  });

  const large: [name: string, answer: unknown][] = [
    ["a long text", { data: "token ".repeat(1_000_000) }],
    ["many texts", { data: Array.from({ length: 100_000 }, () => "token token token") }],
    ["many objects", { type: "table", data: Array.from({ length: 100_000 }, () => ({})) }],
    ["many names", Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`token${n}`, n]))],
    ["a long name", { ["token".repeat(100_000)]: 1 }],
  ];
  for (const [name, answer] of large) {
    it(`reads only the beginning of ${name}`, () => {
      const secrets = new CountingSecrets();
      const { detail = "" } = failure(answer, secrets);
      assert.ok(detail.length <= 4_000);
      assert.ok(secrets.searched < 500_000, String(secrets.searched));
    });
  }

  it("is that error also for an answer that is nested without end", () => {
    const answer: unknown = JSON.parse(`{"data":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
    assert.ok((failure(answer).detail?.length ?? 0) <= 4_000);
  });

  it("names the first problem only", () => {
    let issues = 0;
    const counted = v.array(
      v.pipe(
        v.unknown(),
        v.check(() => {
          issues++;
          return false;
        }),
      ),
    );
    assert.throws(() => decodeOne(counted, Array.from({ length: 1_000 }), new Secrets()));
    assert.equal(issues, 1);
  });
});
