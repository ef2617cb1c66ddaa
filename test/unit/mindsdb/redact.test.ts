import assert from "node:assert/strict";
import fc from "fast-check";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { isSecretKey, mask } from "../../../src/mindsdb/redact/secretNames.ts";

describe("redact", () => {
  it("learns what is secret in headers and in JSON that is a text", () => {
    const key = "canary-5678-of-a-header";
    for (const answer of [
      { headers: { Authorization: `Bearer ${key}` } },
      { headers: JSON.stringify({ Authorization: `Bearer ${key}` }) },
      { headers: JSON.stringify({ nested: JSON.stringify([{ "x-api-key": key }]) }) },
      { credentials: JSON.stringify({ type: "service_account", private_key: key }) },
      { api_keys: JSON.stringify([key]) },
    ]) {
      const secrets = new Secrets();
      secrets.learn([{ answer }]);
      assert.equal(secrets.redactKnown(`refused ${key}.`), `refused ${mask}.`);
      assert.equal(secrets.redactKnown("a service_account"), "a service_account");
    }
  });

  it("distinguishes names of secrets from similar names", () => {
    for (const name of [
      "api_key",
      "apiKey",
      "API-KEY",
      "openai_api_key",
      "openaiApiKey",
      "connection_string",
      "consumer_key",
      "Ocp-Apim-Subscription-Key",
      "masterKey",
      "supabase_service_role_key",
      "accessToken",
      "password",
      "db_password",
      "sslpassword",
      "token",
      "webhook_token",
      "access_token",
      "Authorization",
      "secret",
      "client_secret",
      "cookie",
      "private_key",
      "AWSSecretKey",
      "DBPassword",
      "db.password",
      "API key",
      "api_keys",
      "OPENAI_API_KEY_2",
    ]) {
      assert.equal(isSecretKey(name), true, name);
    }
    for (const name of [
      "primary_key",
      "max_tokens",
      "maxToken",
      "Max Token",
      "tokens",
      "prompt_tokens",
      "monkey",
      "keyboard",
      "name",
    ]) {
      assert.equal(isSecretKey(name), false, name);
    }
  });

  it("masks fields by name in JSON, in a Python repr and in nested errors", () => {
    const secrets = new Secrets();
    for (const text of [
      `{"provider":"openai","api_key":"canary-1234","x":1}`,
      `The model "{'provider': 'openai', 'api_key': 'canary-1234'}" does not exist`,
      `{"detail":"The model \\"{'api_key': 'canary-1234'}\\" is wrong"}`,
      `{\\"api_key\\": \\"canary-1234\\"}`,
      `{"clientSecret": "canary-1234"}`,
      `{"connection_string": "AccountName=a;Key=canary-1234;"}`,
      `?accessToken=canary-1234`,
      `postgres://reader:canary-1234@db:5432/x`,
      `at https://canary-1234:x@host/v1.`,
      `curl "http://x/?api_key=canary-1234&y=1"`,
      `api_key in a header: Authorization: Bearer canary-1234`,
    ]) {
      assert.ok(!secrets.redact(text).includes("canary-1234"), secrets.redact(text));
    }
  });

  it("masks known values in the forms in which servers repeat them, even if they are long or contain quotes", () => {
    const lines = `line one\nline two "quoted" and 'quoted'\\ ${"x".repeat(3_000)}`;
    for (const value of [
      lines,
      `{"type": "it's", "key": "b\\n"}`,
      "schlüssel-😀",
      "\ud800abcdefg",
    ]) {
      const secrets = new Secrets();
      secrets.add(value);
      for (const repr of [pythonRepr(value, "'"), pythonRepr(value, '"')]) {
        const detail = `The model "{'secret_thing': ${repr}}" does not exist`;
        for (const text of [detail, JSON.stringify({ detail }), asciiJson({ detail })]) {
          const redacted = secrets.redact(text);
          assert.ok(redacted.includes(mask), redacted);
          assert.doesNotMatch(redacted, /line|quoted|type|schl|abcd/);
        }
      }
    }
  });

  it("keeps placeholder keys in text, but masks them in key fields", () => {
    const secrets = new Secrets();
    for (const word of ["ollama", "EMPTY", "lm-studio"]) {
      secrets.add(word);
      secrets.learn({ api_key: word });
      const model = { provider: word, api_key: word };
      assert.deepEqual(secrets.redactValue(model), { provider: word, api_key: mask });
      assert.equal(secrets.redact(`A ${word} server`), `A ${word} server`);
      assert.equal(secrets.redact(`{'api_key': '${word}'}`), `{'api_key': '${mask}'}`);
    }
  });

  it("masks anything that looks like a token or a provider's key", () => {
    const token = `pat_${"x".repeat(43)}`;
    const text = `Incorrect API key provided: sk-c4n4ry1x2y3z4711. Sent ${token}`;
    assert.equal(new Secrets().redact(text), `Incorrect API key provided: ${mask}. Sent ${mask}`);
  });

  it("masks known values in plain text, JSON and URLs, and keeps everything else", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, unit: "grapheme" }).filter((text) => text.trim().length >= 8),
        fc.lorem(),
        (value, around) => {
          fc.pre(!around.includes(value) && !mask.includes(value));
          const secrets = new Secrets();
          secrets.add(value);
          for (const form of [value, JSON.stringify(value).slice(1, -1)]) {
            assert.equal(secrets.redact(`${around} ${form}`), `${around} ${mask}`);
          }
        },
      ),
    );
  });

  it("masks known values in URLs with any encoding", () => {
    const secrets = new Secrets();
    secrets.add("a/b c+(d)=");
    for (const form of [
      "a%2Fb%20c%2B(d)%3D",
      "a/b%20c%2B%28d%29%3D",
      "a%2Fb+c%2B%28d%29%3D",
      "a%2fb%20c%2b%28d%29%3d",
    ]) {
      assert.equal(secrets.redact(`?q=${form}&x`), `?q=${mask}&x`);
    }
  });

  it("masks known values in Base64, and in JSON that is made for a page", () => {
    const secrets = new Secrets();
    const value = `x&y<z>'/?~ÿ-canary`;
    secrets.add(value);
    const go = String.raw`x\u0026y\u003cz\u003e'/?~ÿ-canary`;
    for (const form of [go, go.replace("'", "\\u0027"), value.replace("/", "\\/")]) {
      assert.equal(secrets.redact(`"a":"${form}"`), `"a":"${mask}"`);
    }
    const bytes = Buffer.from(value);
    assert.equal(secrets.redact(bytes.toString("base64url")), mask);
    assert.equal(secrets.redact(`${bytes.toString("base64")}, x`).slice(0, 6), mask);
  });

  it("masks known values in a page that repeats the request", () => {
    const secrets = new Secrets();
    secrets.add(`Tom & "Jerry's" <3`);
    for (const text of [
      "<p>Tom &amp; &#34;Jerry&#39;s&#34; &lt;3</p>",
      "<p>Tom &amp; &quot;Jerry&#x27;s&quot; &lt;3</p>",
    ]) {
      assert.equal(secrets.redact(text), `<p>${mask}</p>`);
    }
  });

  it("masks the whole of a secret that starts like another one", () => {
    const secrets = new Secrets();
    for (const value of ["plain1234", "plain1234-and-more"]) secrets.add(value);
    assert.equal(secrets.redact("plain1234-and-more, plain1234"), `${mask}, ${mask}`);
  });

  it("learns the keys in a response and masks them there and in later texts", () => {
    const secrets = new Secrets();
    const answer = {
      name: "a",
      model: { api_key: "canary-5678", list: [{ password: ["canary-9999"] }] },
      api_key: null,
      token: 12345678,
      cookie: "",
    };
    secrets.learn(answer);
    assert.deepEqual(secrets.redactValue(answer), {
      name: "a",
      model: { api_key: mask, list: [{ password: [mask] }] },
      api_key: null,
      token: mask,
      cookie: "",
    });
    assert.equal(
      secrets.redact("said canary-5678, canary-9999 and 12345678"),
      `said ${mask}, ${mask} and ${mask}`,
    );
  });

  it("does not learn values that it only masks, because rows are the user's data", () => {
    const secrets = new Secrets();
    secrets.redactValue({ token: "customers" });
    assert.equal(secrets.redactKnown("SELECT * FROM customers"), "SELECT * FROM customers");
    assert.equal(secrets.redact("SELECT * FROM customers"), "SELECT * FROM customers");
  });

  it("keeps fractions and flags in fields named like secrets, such as column importances", () => {
    const value = { column_importances: { token: 0.25 }, password: { secret: true } };
    assert.deepEqual(new Secrets().redactValue(value), value);
  });

  it("masks only known values in the user's rows", () => {
    const secrets = new Secrets();
    secrets.learn({ api_key: "canary-5678" });
    const row = { token: "abc", note: '"api_key": "mine"', list: ["was canary-5678"] };
    assert.deepEqual(secrets.redactKnownValue(row), { ...row, list: [`was ${mask}`] });
  });

  it("removes secret fields from data that is stored to be sent again", () => {
    const secrets = new Secrets();
    secrets.learn({ api_key: "canary-5678" });
    const params = {
      mode: "sql",
      options: { openai_api_key: "other", retries: 3, header: "canary-5678", deep: [{ token: 1 }] },
    };
    assert.deepEqual(secrets.omitSecrets(params), {
      mode: "sql",
      options: { retries: 3, deep: [{}] },
    });
  });

  it("does not share secrets between connections", () => {
    const [one, other] = [new Secrets(), new Secrets()];
    one.add("canary-5678");
    assert.equal(one.redact("a canary-5678"), `a ${mask}`);
    assert.equal(other.redact("a canary-5678"), "a canary-5678");
  });

  it("masks known values as whole words", () => {
    const secrets = new Secrets();
    for (const value of ["postgres", "(dashed-key)", "SELECT"]) secrets.add(value);
    for (const text of [
      "SELECT * FROM postgres_db.orders",
      "mypostgres",
      "postgres2",
      "x(dashed-key", // A part of the value.
    ]) {
      assert.equal(secrets.redact(text), text);
    }
    for (const [text, redacted] of [
      ["postgres", mask],
      ["for user 'postgres'.", `for user '${mask}'.`],
      ["(postgres)", `(${mask})`],
      ["密码是postgres。", `密码是${mask}。`],
      ["a(dashed-key)b", `a${mask}b`],
      [String.raw`failed:\npostgres\n`, String.raw`failed:\n${mask}\n`],
      [String.raw`failed:\u000apostgres`, String.raw`failed:\u000a${mask}`],
      ["?q=a%20postgres%20b", `?q=a%20${mask}%20b`],
    ] as const) {
      assert.equal(secrets.redact(text), redacted);
    }
  });

  it("masks a value that was pasted with blanks around it, of which servers repeat the rest", () => {
    const secrets = new Secrets();
    secrets.add(" quiet-otter-harbor\n");
    assert.equal(secrets.redact("Refused: quiet-otter-harbor."), "Refused: ******.");
    const inBase64 = Buffer.from(" quiet-otter-harbor\n").toString("base64");
    assert.equal(secrets.redact(`x ${inBase64} x`).includes(inBase64.slice(0, 20)), false);
  });

  it("masks the start of a known value that is truncated", () => {
    const secrets = new Secrets();
    secrets.add("canary-1234-and-more");
    assert.equal(secrets.redact("key canary-1234-a…"), `key ${mask}…`);
    assert.equal(secrets.redact("key canary-1234-a... See"), `key ${mask}... See`);
    assert.equal(secrets.redact("key canary-1234-b"), "key canary-1234-b");
    const long = "0123456789abcdef".repeat(8);
    secrets.add(long);
    assert.equal(secrets.redact(`${long.slice(0, 100)}!`), `${mask}!`);
  });

  it("masks named values in the notations of code and servers", () => {
    for (const [text, redacted] of [
      [`OpenAI(api_key='canary')`, `OpenAI(api_key='${mask}')`],
      [`USING openai_api_key = 'canary', x = 'y'`, `USING openai_api_key = '${mask}', x = 'y'`],
      [`{"password": "with \\"quotes\\" in", "x": 1}`, `{"password": "${mask}", "x": 1}`],
      [`{"password": "ends in \\\\", "x": 1}`, `{"password": "${mask}", "x": 1}`],
      [`{"a":"{\\"token\\":\\"b\\\\\\"c\\"}","x":1}`, `{"a":"{\\"token\\":\\"${mask}\\"}","x":1}`],
      [`{"a":"{'api_key': 'cut off","x":1}\nnext`, `{"a":"{'api_key': '${mask}\nnext`],
      [`{"key_file":"a","api_key":""}`, `{"key_file":"a","api_key":""}`],
      [`{"a":"\\"api_key\\":\\"cut","x":1}`, `{"a":"\\"api_key\\":\\"${mask}","x":1}`],
      [`"private_key": "-----\nMIIE\n-----\n", 1`, `"private_key": "${mask}", 1`],
      [`postgres://reader:p@ss@db:5432/x`, `postgres://${mask}@db:5432/x`],
      [`postgres://reader:p/a?s#s@db:5432/x`, `postgres://${mask}@db:5432/x`],
      [`authorization: bearer eyJhbGciOi.J9`, `authorization: bearer ${mask}`],
      [`X-Api-Key: 12345678abc\r\nHost: a`, `X-Api-Key: ${mask}\r\nHost: a`],
      [`{api_key: "canary", password:'b'}`, `{api_key: "${mask}", password:'${mask}'}`],
      [
        "aws_secret_access_key = wJalrXUt7/bPxRfi\nregion = eu",
        `aws_secret_access_key = ${mask}\nregion = eu`,
      ],
      ["| api_key | canary-1234 |\n", `| api_key | ${mask} |\n`],
      ["| **`api_key`** | `canary-1234` |", `| **\`api_key\`** | \`${mask}\` |`],
      ["<api_key>canary</api_key>", `<api_key>${mask}</api_key>`],
      [`<ApiKey type="x">canary</ApiKey>`, `<ApiKey type="x">${mask}</ApiKey>`],
      [`<field name="api_key">canary</field>`, `<field name="api_key">${mask}</field>`],
      [`<add key="ApiKey" value="canary"/>`, `<add key="ApiKey" value="${mask}"/>`],
      ["q=x%26api_key%3Dcanary%26y%3D1", `q=x%26api_key%3D${mask}%26y%3D1`],
      [`{"apikey": {"value": "canary"}}`, `{"apikey": {"value": "${mask}"}}`],
      [
        `{"api_key":{"type":"plain","value":"a"}}`,
        `{"api_key":{"type":"plain","value":"${mask}"}}`,
      ],
      [`api_key:\tcanary-1, password: hunter-22`, `api_key:\t${mask}, password: ${mask}`],
      [`ALTER ROLE bob WITH PASSWORD 'can''ary'`, `ALTER ROLE bob WITH PASSWORD '${mask}'`],
      [
        `SET PASSWORD FOR 'bob'@'h' = PASSWORD('canary')`,
        `SET PASSWORD FOR 'bob'@'h' = PASSWORD('${mask}')`,
      ],
      [
        `CREATE USER a IDENTIFIED WITH b BY 'canary'; x`,
        `CREATE USER a IDENTIFIED WITH b BY '${mask}'; x`,
      ],
      [
        `CREATE SECRET (SECRET 'wJalrXUt7bPxRfiCY2k9', REGION 'eu')`,
        `CREATE SECRET (SECRET '${mask}', REGION 'eu')`,
      ],
      // As statements that create an engine are copied.
      [
        "USING `openai_api_key` = 'canary',\n  x = 'y'",
        `USING \`openai_api_key\` = '${mask}',\n  x = 'y'`,
      ],
      ["UPDATE t SET [password]='canary'", `UPDATE t SET [password]='${mask}'`],
      [`os.environ["OPENAI_API_KEY"] = "canary"`, `os.environ["OPENAI_API_KEY"] = "${mask}"`],
      [`AZURE_OPENAI_KEY=canary db_pass=canary`, `AZURE_OPENAI_KEY=${mask} db_pass=${mask}`],
      [`authorization=Bearer canary-1234`, `authorization=Bearer ${mask}`],
      [`run --api-key canary-1 --password "b-12345"`, `run --api-key ${mask} --password "${mask}"`],
    ]) {
      assert.equal(new Secrets().redact(text!), redacted);
    }
  });

  it("does not change ordinary text", () => {
    for (const text of [
      "The Bearer bonds of the bearer of news.",
      "sk-learn-contrib and pk-customer-orders",
      "SELECT token, secret FROM t WHERE token = 'abc' AND primary_key = 'x'",
      `{"max_tokens": "5", "monkey": "banana", "tokens": ["a"]}`,
      "https://host:8080/a@b and http://[::1]:5/",
      "https://host/a:b/c@d, https://host:5?a@b, http://[::1]:5/a@b, http://host:a/b c@d",
      "The password is wrong. Which token? My key: none.",
      "| api_key | text | the key of the provider |\n| token | 123456789 |",
      "WHERE password = other.column AND a.api_key = b.key",
      "if password > 12345678 or <api_key> is given",
      `"api_key" value, "password" > 8`,
      `Unexpected token: "," and the next token: 123456789. Your password: see page 12.`,
      "To get an API key: https://example.com/keys/12345678. Password:\n12345678 rows",
      "The password's length, and the secret 'my_secret' of 'bob': Unexpected token 'abc' 1",
      "Wrong password for user 'bob', identified as Bob and by 'name'. Add --password and --token.",
      `token = row["token"] and x["password"] == "y"`,
    ]) {
      assert.equal(new Secrets().redact(text), text);
    }
  });

  it("does not mask ordinary words because a short secret was learned", () => {
    const secrets = new Secrets();
    secrets.add("a");
    secrets.add("");
    secrets.add(undefined);
    assert.equal(secrets.redact("a banana"), "a banana");
  });
});

/** Formats a text like Python's `repr`. */
function pythonRepr(value: string, quote: string): string {
  const inside = value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return quote + inside.replaceAll(quote, `\\${quote}`) + quote;
}

/** Formats JSON with ASCII characters only, like Python's `json.dumps`. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
