// Keys are recognized by how they look; names, numbers and addresses that begin like them stay.
import assert from "node:assert/strict";
import fc from "fast-check";
import { Secrets, redactUnknown } from "../../../src/mindsdb/redact/redact.ts";
import { mask } from "../../../src/mindsdb/redact/secretNames.ts";

const base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const hex = "0123456789abcdef";

/** Made-up keys as the providers make them: a beginning, characters and length. */
const providers: Record<string, [beginning: string, characters: string, length: number][]> = {
  OpenAI: [
    ["sk-", base62, 48],
    ["sk-proj-", `${base62}-_`, 156],
    ["sk-svcacct-", `${base62}-_`, 120],
  ],
  Anthropic: [["sk-ant-api03-", `${base62}-_`, 95]],
  OpenRouter: [["sk-or-v1-", hex, 64]],
  DeepSeek: [["sk-", hex, 32]],
  LiteLLM: [["sk-", base62, 22]],
  Google: [
    ["AIza", `${base62}-_`, 35],
    ["AQ.Ab", `${base62}-_`, 48],
    ["1//0", `${base62}-_`, 96],
  ],
  Notion: [["secret_", base62, 43]],
  "JSON Web Encryption": [["eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..", base62, 16]],
  Groq: [["gsk_", base62, 52]],
  xAI: [["xai-", base62, 80]],
  "Hugging Face": [["hf_", base62.slice(0, 52), 34]],
  GitHub: [
    ["ghp_", base62, 36],
    ["ghs_", base62, 36],
    ["github_pat_", base62, 82],
  ],
  GitLab: ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"].map((kind) => [kind, base62, 20]),
  Slack: [
    ["xoxb-123456789012-1234567890123-", base62, 24],
    ["xapp-1-A0123456789-1234567890123-", hex, 64],
  ],
  NVIDIA: [["nvapi-", `${base62}-_`, 64]],
  Perplexity: [["pplx-", base62, 48]],
  Replicate: [["r8_", base62, 37]],
  Fireworks: [["fw_", base62, 24]],
  Pinecone: [["pcsk_", base62, 70]],
  Tavily: [["tvly-dev-", base62, 32]],
  LangSmith: [["lsv2_pt_", hex, 32]],
  Voyage: [["pa-", `${base62}-_`, 43]],
  ElevenLabs: [["sk_", hex, 48]],
  Stripe: [
    ["sk_live_", base62, 24],
    ["rk_test_", base62, 24],
  ],
  SendGrid: [["SG.abcDEF0123456789ghijkl.", `${base62}-_`, 43]],
  AWS: [["AKIA", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16]],
  Databricks: [["dapi", hex, 32]],
  npm: [["npm_", base62, 36]],
  Sentry: [["sntrys_", base62, 60]],
  Figma: [["figd_", `${base62}-_`, 40]],
  PostHog: [["phc_", base62, 43]],
  Postman: [["PMAK-", hex, 24]],
  "New Relic": [["NRAK-", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 27]],
  Doppler: [["dp.pt.", base62, 43]],
  MindsDB: [["pat_", `${base62}-_`, 43]],
};

/** Ordinary text that begins like a key or contains what keys contain. */
const ordinary = [
  "Order PK-2024-00123 was sent",
  "Invoice SK-2024-0017345 is open",
  "part RK-1000-2345-A",
  "order pk-2024-00123, invoice sk-2024-0017345 and part rk-1000-2345-a",
  "sk-SK, pk-PK and sk-learn-1.5.2-notes-of-2024-q3",
  "sk-2024-11-25-report-final-version-02 in rk-berlin-2024-week-48",
  "pat_demographics_by_admission_2024_q3 and pat_2024_customer_segmentation_final_v2",
  "hf_model_v2_my_finetuned_checkpoint_2024 by hf_TrainerForSequenceClassification",
  "gsk_clinical_trials_2024_phase_3_results, xai-explainability-report-2024-11",
  "npm_config_registry_2024_backup_01, sk_stock_levels_2024_week_48_total",
  "fw_firmware_update_2024_build_00123, pa-pennsylvania-2024-county-results",
  "ASIAPACIFIC, AKIAK and ASIA_PACIFIC_REGION_2024",
  "550e8400-e29b-41d4-a716-446655440000 at 2026-11-25T09:10:11.123Z",
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "commit 2baf898c0ffee2baf898c0ffee2baf898c0ffee1, risk-550e8400-e29b-41d4-a716-446655440000",
  "IMG_20241125_091011.jpg, INV-2024-0001.pdf, DE89370400440532013000, 4711-0815",
  "The Basic plan: basic instructions and Basic authentication. A standard bearer 2024.",
  "Authorization: Basic information is missing. Authorization: bearer tokens",
  "https://a.example/files?key=customers_2024_report_final.csv&x=1&signal=2",
  "eyJvZmZzZXQiOjEwMH0 is a cursor, and -----BEGIN PRIVATE KEY----- is a line",
  "-----BEGIN CERTIFICATE-----\nMIIBszCCARwCCQDsomeCertificate\n-----END CERTIFICATE-----",
];

/** The text as in a terminal, in JSON and other places where what is before a word is no space. */
const befores = [
  ...["", " ", '"', "'", "=", ":", "(", "字", "\u001b[31m", "\u001b[1;38;5;196m", "\u009b0m"],
  ...["\\u001b[31m", "\\x1b[0m", "\\033[32m", "\\n", "\\u000a", "%20"],
];
const afters = ["", " ", '"', "'", ",", ")", "…", "字", "\u001b[0m", "\\u001b[0m", "&x=1"];

describe("keys that are recognized by how they look", () => {
  for (const [provider, kinds] of Object.entries(providers)) {
    it(`are masked: ${provider}`, () => {
      for (const [beginning, characters, length] of kinds) {
        const rest = fc.string({
          unit: fc.constantFrom(...characters),
          minLength: length,
          maxLength: length,
        });
        // Of a thousand keys, a few of the shortest look like words.
        let missed = 0;
        fc.assert(
          fc.property(
            rest,
            fc.constantFrom(...befores),
            fc.constantFrom(...afters),
            (end, before, after) => {
              const shown = redactUnknown(
                `a${before === "" ? " " : before}${beginning}${end}${after}`,
              );
              if (shown.includes(end)) missed++;
              else assert.equal(shown, `a${before === "" ? " " : before}${mask}${after}`);
            },
          ),
          { numRuns: 300 },
        );
        assert.ok(missed <= 6, `${beginning}: ${String(missed)} of 300`);
      }
    });
  }

  it("leaves ordinary words, numbers and addresses unchanged", () => {
    for (const text of ordinary) assert.equal(redactUnknown(text), text);
    const part = fc.oneof(
      fc.stringMatching(/^[a-z]{1,12}$/),
      fc.stringMatching(/^[A-Z]{1,5}$/),
      fc.stringMatching(/^\d{1,13}$/),
      fc.stringMatching(/^v\d$/),
    );
    const beginning = fc.constantFrom(
      ...["sk", "rk", "pk", "SK", "RK", "PK", "pa", "xai", "hf", "gsk", "pat", "fw", "npm"],
    );
    fc.assert(
      fc.property(
        beginning,
        fc.constantFrom("-", "_"),
        fc.array(part, { minLength: 1, maxLength: 6 }),
        (start, sign, parts) => {
          const text = [start, ...parts].join(sign);
          // Beginnings that only keys have.
          fc.pre(!/^([sr]k_(live|test)_|[sp]k-(proj|svcacct|ant|or-v1|lf)-)/.test(text));
          assert.equal(redactUnknown(`Item ${text}.`), `Item ${text}.`);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("masks JSON Web Tokens, whole or cut off", () => {
    const [header, claims, signature] = [
      { alg: "HS256", typ: "JWT" },
      { sub: "canary", iat: 1 },
      "canary",
    ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
    for (const token of [`${header!}.${claims!}.${signature!}`, `${header!}.${claims!}`]) {
      assert.equal(redactUnknown(`got "${token}" and`), `got "${mask}" and`);
      assert.equal(redactUnknown(`\u001b[33m${token}\u001b[0m`), `\u001b[33m${mask}\u001b[0m`);
    }
  });

  it("masks private keys of every kind, escaped or cut off", () => {
    const lines = Array.from({ length: 4 }, (_, line) => `${"canary+/".repeat(7)}${String(line)}`);
    for (const kind of ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "]) {
      for (const lineEnd of ["\n", "\r\n", "\\n", "\\\\n"]) {
        const body = [`-----BEGIN ${kind}PRIVATE KEY-----`, ...lines].join(lineEnd);
        const end = `-----END ${kind}PRIVATE KEY-----`;
        for (const text of [`at ${body}${lineEnd}${end}${lineEnd}"`, `at ${body}`]) {
          const shown = redactUnknown(text);
          assert.ok(!shown.includes("canary") && shown.startsWith("at -----BEGIN"), shown);
          assert.equal(shown.includes(end), text.includes(end));
        }
      }
    }
    const armor =
      "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2.0 (GNU/Linux)\n\ncanarycanarycanary\n=ab12\n-----END PGP PRIVATE KEY BLOCK-----";
    assert.ok(!redactUnknown(armor).includes("canary"));
  });
});

describe("credentials in requests", () => {
  const encoded = Buffer.from("alice:s3cret-canary").toString("base64");

  it("are masked in headers and in what describes them", () => {
    for (const [text, shown] of [
      [`Basic ${encoded}`, `Basic ${mask}`],
      [`authorization: basic ${encoded}`, `authorization: basic ${mask}`],
      [`-H 'Authorization: Basic ${encoded}'`, `-H 'Authorization: Basic ${mask}'`],
      ["Proxy-Authorization: Basic dXNlcjpwYXNz", `Proxy-Authorization: Basic ${mask}`],
      ["Authorization: Token canary-12345678", `Authorization: Token ${mask}`],
      ["Authorization: Api-Key canary-12345678", `Authorization: Api-Key ${mask}`],
    ]) {
      assert.equal(redactUnknown(text!), shown);
    }
  });

  it("are masked in addresses", () => {
    const key = "q8Zr2Lk0Vw7Xn5Ty3Bm1";
    for (const [text, shown] of [
      [
        "https://hooks.slack.com/services/T01/B02/canary-canary, see",
        `https://hooks.slack.com/services/${mask}, see`,
      ],
      [
        "https://discord.com/api/webhooks/123456789012/canary-_x",
        `https://discord.com/api/webhooks/${mask}`,
      ],
      [
        "https://api.telegram.org/bot123456789:canary-_xyz/send",
        `https://api.telegram.org/bot${mask}`,
      ],
      ["https://h/api/webhooks/and/notifications", "https://h/api/webhooks/and/notifications"],
      [`https://a.example/v1?key=${key}&x=1`, `https://a.example/v1?key=${mask}&x=1`],
      [`https://a.example/v1?x=1&KEY=${key}`, `https://a.example/v1?x=1&KEY=${mask}`],
      [`https://a.example/v1?x=1\\u0026key=${key}"`, `https://a.example/v1?x=1\\u0026key=${mask}"`],
      [`https://a.example/v1?x&amp;key=${key}`, `https://a.example/v1?x&amp;key=${mask}`],
      [`https://a.example/b?se=1&sig=${key}%3D&x`, `https://a.example/b?se=1&sig=${mask}&x`],
      [`https://a.example/b?X-Amz-Signature=${key}`, `https://a.example/b?X-Amz-Signature=${mask}`],
    ]) {
      assert.equal(redactUnknown(text!), shown);
    }
  });
});

describe("secrets in colored text", () => {
  const colors = [
    ["\u001b[36m", "\u001b[0m"],
    ["\u001b[1;38;5;196m", "\u001b[m"],
    ["\\u001b[36m", "\\u001b[0m"],
    ["\\x1b[36m", "\\x1b[0m"],
  ] as const;

  it("are masked where they are known", () => {
    const secrets = new Secrets();
    secrets.add("canary4711");
    for (const [on, off] of colors) {
      assert.equal(secrets.redact(`${on}canary4711${off}`), `${on}${mask}${off}`);
    }
  });

  it("are masked by their names", () => {
    for (const [on, off] of colors) {
      for (const text of [
        `${on}api_key${off}=${on}canary-4711${off}`,
        `${on}'api_key'${off}: ${on}'canary-4711'${off}`,
        `{${on}"password"${off}:${on}"canary-4711"${off}}`,
        `${on}api_key=canary-4711${off}`,
      ]) {
        assert.ok(!redactUnknown(text).includes("canary"), redactUnknown(text));
      }
    }
    assert.ok(
      !redactUnknown("\u001b[36mapi_key\u001b[0m: \u001b[36mcanary-4711").includes("canary"),
    );
    // The same with an escaped line break before the name.
    assert.equal(
      redactUnknown(String.raw`failed:\napi_key=canary`),
      String.raw`failed:\napi_key=${mask}`,
    );
  });
});

describe("names of fields", () => {
  const key = "ghp_q8Zr2Lk0Vw7Xn5Ty3Bm1q8Zr2Lk0Vw7Xn5Ty";

  it("are masked where they are secrets, and each field is kept", () => {
    const secrets = new Secrets();
    secrets.add("canary-4711");
    const value = { [key]: 1, "canary-4711": { [`is ${key}`]: 2 }, name: "a" };
    assert.deepEqual(secrets.redactValue(value), {
      [mask]: 1,
      [`${mask} (2)`]: { [`is ${mask}`]: 2 },
      name: "a",
    });
    assert.deepEqual(secrets.redactKnownValue({ "canary-4711": 1 }), { [mask]: 1 });
    assert.deepEqual(secrets.omitSecrets({ "canary-4711": 1, name: "a" }), { name: "a" });
  });
});
