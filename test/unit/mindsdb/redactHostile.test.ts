// Redaction of hostile texts: it never fails, takes linear time, and changes only secrets.
import assert from "node:assert/strict";
import fc from "fast-check";
import { AppError, withoutSecrets } from "../../../src/mindsdb/errors.ts";
import { redactUnknown, Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { mask } from "../../../src/mindsdb/redact/secretNames.ts";
import { assertLinear, millisecondsOf } from "../../linearTime.ts";

const megabyte = 1_000_000;

/** A store that is full of nearly identical values, the worst case that a hostile server can cause. */
function hostileSecrets(): Secrets {
  const secrets = new Secrets();
  for (let count = 0; count < 300; count++) {
    secrets.learn({ api_key: `${"a ".repeat(2_000)}${String(count)}` });
    secrets.learn({ api_key: `${"*".repeat(3_000)}${String(count)}` });
    secrets.learn({ api_key: `${'\\"'.repeat(1_000)}${String(count)}` });
  }
  return secrets;
}

/** Texts in which patterns start repeatedly and never match. */
const hostileTexts: Record<string, (length: number) => string> = {
  "backslashes after a name": (length) => `"api_key":${"\\".repeat(length)}`,
  "backslashes after a quoted name": (length) => `"api_key${"\\".repeat(length)}`,
  "backslashes in a value": (length) => `"api_key":"${"\\".repeat(length)}`,
  "spaces after a name": (length) => `"api_key"${" ".repeat(length)}`,
  quotes: (length) => '"'.repeat(length),
  brackets: (length) => "[{(".repeat(length / 3),
  stars: (length) => "*".repeat(length),
  words: (length) => "a ".repeat(length / 2),
  names: (length) => "token".repeat(length / 5),
  "names with values": (length) => `"api_key": "`.repeat(length / 12),
  "names with values on lines": (length) => `'token': "\n"token": '\n`.repeat(length / 22),
  "names with values that are escaped ever more": (length) => {
    const lines: string[] = [];
    for (let size = 0; size < length; size += lines.at(-1)!.length) {
      const slashes = "\\".repeat(lines.length);
      lines.push(`${slashes}'token${slashes}':${slashes}'\n`);
    }
    return lines.join("");
  },
  "names with lists": (length) => `"api_key": ["`.repeat(length / 13),
  "items of a list": (length) => `"api_key": [${`'a', `.repeat(length / 5)}`,
  assignments: (length) => "token=".repeat(length / 6),
  "names with colons": (length) => "api_key:".repeat(length / 8),
  "names of elements without an end": (length) => `"api_key">`.repeat(length / 10),
  "names of elements with blanks": (length) => `'token' >`.repeat(length / 9),
  accounts: (length) => "://a:".repeat(length / 5),
  bearers: (length) => "Bearer ".repeat(length / 7),
  "provider keys": (length) => "sk-".repeat(length / 3),
  "keys with dots": (length) => "SG.aB1".repeat(length / 6),
  "beginnings with dots": (length) => "SG.".repeat(length / 3),
  "tokens of JSON": (length) => "eyJaaaaaaaa.".repeat(length / 12),
  "tokens of JSON without dots": (length) => "eyJ-".repeat(length / 4),
  "private keys": (length) => "-----BEGIN PRIVATE KEY-----\na".repeat(length / 29),
  "a private key without an end": (length) =>
    `-----BEGIN PRIVATE KEY-----${"a ".repeat(length / 2)}`,
  "keys in addresses": (length) => "?key=&sig=".repeat(length / 10),
  "basic credentials": (length) => "Basic aaaa ".repeat(length / 11),
  schemes: (length) => "authorization: token ".repeat(length / 21),
  colors: (length) => `api_key${"\u001b[1m".repeat(length / 4)}`,
  "colors after names": (length) => "\u001b[1mtoken".repeat(length / 9),
  "escaped quotes": (length) => '\\"'.repeat(length / 2),
  percents: (length) => "%2F".repeat(length / 3),
};

describe("redaction of hostile texts", () => {
  const secrets = hostileSecrets();

  for (const [name, make] of Object.entries(hostileTexts)) {
    it(`takes linear time for ${name}`, () => {
      assertLinear({ name, make, run: (text) => secrets.redactWhole(text), size: megabyte / 10 });
    });

    it(`takes little time for 1 MB of ${name}`, () => {
      const secrets = new Secrets();
      secrets.add("canary-1234-5678");
      const text = make(megabyte);
      // A hundred times the usual duration. Nonlinear code would take minutes.
      assert.ok(millisecondsOf(() => secrets.redactWhole(text)) < 10_000);
    });
  }

  it("accepts secrets of 1 to 1,000,000 characters", () => {
    for (let length = 1; length <= megabyte; length *= 10) {
      const value = "s3cret ".repeat(length / 7 + 1).slice(0, length);
      const secrets = new Secrets();
      secrets.add(value);
      secrets.learn({ token: value });
      const isKnown = length >= 8 && length <= 4_096;
      assert.equal(secrets.redactWhole(`a ${value}!`), isKnown ? `a ${mask}!` : `a ${value}!`);
      assert.equal(secrets.redactWhole(`{"token":"${value}"}`), `{"token":"${mask}"}`);
      assert.deepEqual(secrets.redactValue({ token: value }), { token: mask });
    }
  });

  it("keeps a hundred thousand characters of a server's values, whose forms are made in a moment", () => {
    const secrets = new Secrets();
    const valueOf = (at: number): string => `${10_000_000 + at}${"\u{1f600}é".repeat(1_300)}`;
    secrets.addCredential("my-password-1");
    secrets.learn(Array.from({ length: 1_000 }, (_, at) => ({ api_key: valueOf(at) })));
    const took = millisecondsOf(() => {
      const shown = secrets.redactKnown(`a ${valueOf(999)} b my-password-1`);
      assert.equal(shown, `a ${mask} b ${mask}`);
    });
    assert.ok(took < 1_000, String(took));
    assert.equal(secrets.redactKnown(valueOf(900)), valueOf(900));
  });

  it("keeps the newest values of a server, and always those of the sign-in", () => {
    const secrets = new Secrets();
    secrets.addCredential("own-canary-1");
    secrets.add("typed-canary-1");
    const learn = (from: number, to: number) => {
      const all = Array.from({ length: to - from }, (_, at) => `returned-${String(from + at)}`);
      secrets.learn(all.map((api_key) => ({ api_key })));
    };
    learn(0, 1_000);
    assert.equal(secrets.redact("returned-0 returned-999"), `${mask} ${mask}`);
    learn(1_000, 1_500);
    assert.equal(secrets.redact("own-canary-1 returned-1499"), `${mask} ${mask}`);
    // Those that a data source has under any name.
    for (let at = 0; at < 300; at++) secrets.addReturned(`stored-${String(at)}`);
    assert.equal(secrets.redact("own-canary-1 typed-canary-1 stored-0"), `${mask} ${mask} ${mask}`);
    for (let at = 0; at < 300; at++) secrets.add(`typed-value-${String(at)}`);
    assert.equal(secrets.redact("own-canary-1 typed-value-299"), `${mask} ${mask}`);
    assert.equal(secrets.redact("returned-1"), "returned-1");
    secrets.learn({ api_key: "returned-1" });
    assert.equal(secrets.redact("returned-1"), mask);
  });

  it("reads two megabytes of JSON in the texts of an answer, and twenty thousand of them", () => {
    const json = (key: string, length: number): string =>
      JSON.stringify([{ api_key: key }, "y".repeat(length)]);
    const secrets = new Secrets();
    const objects = `[${"{},".repeat(3_000_000)}{}]`;
    const took = millisecondsOf(() =>
      secrets.learn([objects, json("key-of-long", 2_000_000), json("key-of-short", 100_000)]),
    );
    assert.ok(took < 1_000, String(took));
    assert.equal(secrets.redactKnown("key-of-long key-of-short"), `key-of-long ${mask}`);
    const texts = Array.from({ length: 30_000 }, () => "[{");
    secrets.learn([json("key-before", 1), ...texts, json("key-behind", 1)]);
    assert.equal(secrets.redactKnown("key-before key-behind"), `${mask} key-behind`);
  });

  it("reads deeply nested values", () => {
    const secrets = new Secrets();
    for (const [before, after] of [
      ['{"a":[', "]}"],
      ['{"token":', "}"],
      ["[", "]"],
    ] as const) {
      const json = `{"token":${before.repeat(200_000)}{"token":"canary"}${after.repeat(200_000)}}`;
      const value: unknown = JSON.parse(json);
      secrets.learn(value);
      assert.ok(!JSON.stringify(secrets.redactValue(value)).includes("canary"));
      assert.ok(!JSON.stringify(secrets.omitSecrets(value)).includes("canary"));
      assert.ok(!JSON.stringify(secrets.redactKnownValue(value)).includes("canary"));
    }
  });

  it("reads only the beginning of texts and values that are shown", () => {
    const secrets = new Secrets();
    secrets.add("canary-4711");
    const long = `SELECT 'canary-4711', ${"password='abcdef' ".repeat(megabyte / 10)}`;
    for (const shown of [secrets.redact(long), redactUnknown(long)]) {
      assert.ok(shown.length > 90_000 && shown.length <= 100_000, String(shown.length));
      assert.match(shown, /password='\*{6}' /);
      assert.ok(shown.endsWith("…"));
    }
    assert.doesNotMatch(secrets.redact(long), /canary/);
    const half = `${" ".repeat(99_989)}canary-4711 and more`;
    assert.ok(secrets.redact(half).trim() === `${mask}…`, secrets.redact(half).trim());
    // A hundred times the usual duration.
    const texts = Array.from({ length: 64 }, () => "key ".repeat(megabyte / 4));
    let shown: unknown;
    assert.ok(millisecondsOf(() => (shown = secrets.redactValue({ first: "a", texts }))) < 20_000);
    assert.ok(JSON.stringify(shown).length < 1_200_000);
    assert.match(JSON.stringify(shown), /^\{"first":"a","texts":\["key key .* not shown\.\]"\]\}$/);
  });

  it("reads the whole of what is sent, saved or compared", () => {
    const secrets = new Secrets();
    secrets.add("canary-4711");
    const long = `${"a ".repeat(megabyte)}canary-4711 end`;
    const redacted = long.replace("canary-4711", mask);
    assert.equal(secrets.redactWhole(long), redacted);
    assert.deepEqual(secrets.redactWholeValue({ a: long, token: "b" }), {
      a: redacted,
      token: mask,
    });
  });

  it("shows a message instead of a text that cannot be redacted", () => {
    const secrets = new Secrets();
    const text = { length: 100, toString: () => assert.fail("canary") } as unknown as string;
    assert.match(secrets.redact(text), /^\[.* not shown\.\]$/);
  });

  it("keeps every text without secrets, and masks known values in any context", () => {
    const signs = fc.constantFrom(
      ..."\\\"'`*[](){}<>:;=,.%&?/@#|~^$+-_ \n\t",
      "a",
      "Z",
      "7",
      "é",
      "字",
      "😀",
    );
    const text = fc.array(signs, { maxLength: 200 }).map((list) => list.join(""));
    const secret = fc.stringMatching(/^[a-z]{4}-[A-Z0-9]{8,30}$/);
    const separator = fc.constantFrom(..." \"'()[]{}<>:;=,.?/#|", "\n", "\\n", "%20", "é", "字");
    fc.assert(
      fc.property(text, secret, separator, separator, text, (before, value, left, right, after) => {
        const secrets = new Secrets();
        // A text like `://a:b@` is always treated as user info.
        fc.pre(!`${before}${left}`.includes("://"));
        assert.equal(
          secrets.redact(`${before}${left}${value}${right}${after}`),
          `${before}${left}${value}${right}${after}`,
        );
        secrets.add(value);
        assert.equal(
          secrets.redact(`${before}${left}${value}${right}${after}`),
          `${before}${left}${mask}${right}${after}`,
        );
        for (const part of [`${value}x`, `x${value}`, `_${value}_`]) {
          assert.equal(secrets.redact(`${left}${part}${right}`), `${left}${part}${right}`);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("never shows a named value at any level of quoting", () => {
    const value = fc
      .string({ minLength: 1, unit: "grapheme" })
      .filter((text) => text.trim() !== "");
    const name = fc.constantFrom("api_key", "token", "db_password", "clientSecret");
    fc.assert(
      fc.property(name, value, fc.nat(4), fc.lorem(), (field, inside, levels, around) => {
        const canary = `canary${inside}canary`;
        let text = JSON.stringify({ before: around, [field]: canary, after: around });
        for (let level = 0; level < levels; level++) text = JSON.stringify({ detail: text });
        const redacted = new Secrets().redact(text);
        assert.ok(!redacted.includes("canary"), redacted);
        let shown: unknown = JSON.parse(redacted);
        for (let level = 0; level < levels; level++) {
          shown = JSON.parse((shown as { detail: string }).detail);
        }
        assert.deepEqual(shown, { before: around, [field]: mask, after: around });
      }),
      { numRuns: 500 },
    );
  });
});

describe("errors with server text", () => {
  it("are truncated without showing part of a secret", () => {
    const secrets = new Secrets();
    secrets.add("canary-1234-5678-9012");
    for (let length = 1_960; length < 2_010; length++) {
      const text = `${"x".repeat(length)} canary-1234-5678-9012 ${"y".repeat(megabyte)}`;
      const error = new AppError("serverFault", text, { detail: text });
      assert.ok(error.message.length <= 2_000);
      assert.ok(error.detail!.length <= 64_000);
      const shown = withoutSecrets(error, secrets) as AppError;
      assert.ok(
        !`${shown.message}${shown.detail!}`.includes("canary-1234"),
        shown.message.slice(-40),
      );
    }
  });
});
