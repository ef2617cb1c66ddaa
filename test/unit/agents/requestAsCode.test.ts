import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { formatBody, formatCurl } from "../../../src/agents/requestAsCode.ts";
import { keyPlaceholder } from "../../../src/shared/usingClause.ts";

const key = "made-up-key-0001";

describe("A copied request", () => {
  it("has placeholders for keys, whatever their names", () => {
    const model = { provider: "openai", api_key: key, openai_api_key: key, model_name: "m" };
    const text = formatBody({ name: "a", model });
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
      shell: "posix" as const,
    };
    assert.match(
      formatCurl({ ...request, token: { placeholder: "<your token>" } }),
      /^curl -X POST 'http:\/\/127\.0\.0\.1:47334\/api[^]*'Authorization: Bearer <your token>'/,
    );
    assert.doesNotMatch(formatCurl({ ...request, token: undefined }), /Authorization/);
  });

  it("arrives in a shell unchanged, whatever it contains", () => {
    const command = (text: string) =>
      formatCurl({
        method: "PUT",
        address: "http://h",
        path: `/${encodeURIComponent(text)}`,
        fields: { prompt_template: text },
        token: { variable: "MINDSDB_SAMPLE_TOKEN" },
        shell: "posix",
      });
    // The shell prints each argument of `curl`. NUL cannot be part of an argument.
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
        (text) => {
          const script = `curl() { printf '%s\\0' "$@"; }\n${command(text)}`;
          const env = { MINDSDB_SAMPLE_TOKEN: "0123abcd" };
          const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8", env });
          const words = stdout.split("\0");
          assert.ok(words.includes("Authorization: Bearer 0123abcd"));
          const body = words.at(-2) ?? "";
          assert.deepEqual(JSON.parse(body), { agent: { prompt_template: text } });
        },
      ),
      { numRuns: 25, examples: [["it's"], ["'; exit #"], ['\\ `x` $HOME "y"\n']] },
    );
  });
});

describe("A copied request in other shells", () => {
  const odd = 'it\'s \\ "x" $HOME `a` %PATH% !! & | ‘é’ \n; ^<>(b)';
  const command = (
    shell: "fish" | "powershell" | "cmd" | "other",
    text = odd,
    token?: { variable: string },
  ) =>
    formatCurl({
      method: "PUT",
      address: "http://h/it's",
      path: `/${encodeURIComponent(text)}`,
      fields: { prompt_template: text },
      token,
      shell,
    });

  // These forms were checked with fish 3.6 and zsh 5.9; the rules of PowerShell and cmd are those of their documentation.
  it("has no sign between quotes that a shell obeys", () => {
    for (const shell of ["fish", "other"] as const) {
      const [, url, header, body, ...rest] = command(shell)
        .split("'")
        .filter((_, at) => at % 2 > 0 || at === 0);
      assert.equal(url?.startsWith("http://h/it%27s/"), true);
      assert.equal(header, "Content-Type: application/json");
      assert.deepEqual(rest, []);
      assert.ok(!/\\\\|!/.test(body!), body);
      assert.deepEqual(JSON.parse(body!), { agent: { prompt_template: odd } });
    }
  });

  it("is piped in PowerShell, as ASCII", () => {
    const [, body, , url, , header, , data, ...rest] = command("powershell").split("'");
    assert.deepEqual(JSON.parse(body!), { agent: { prompt_template: odd } });
    assert.match(body!, /^[\n\x20-\x7e]*$/);
    assert.ok(url?.startsWith("http://h/it%27s/") && header === "Content-Type: application/json");
    assert.deepEqual([data, ...rest], ["@-", ""]);
  });

  it("names a variable in the shell's own way", () => {
    const headers = {
      fish: '-H "Authorization: Bearer $MINDSDB_SAMPLE_TOKEN"',
      other: '-H "Authorization: Bearer $MINDSDB_SAMPLE_TOKEN"',
      powershell: '-H "Authorization: Bearer $env:MINDSDB_SAMPLE_TOKEN"',
      cmd: '-H ^"Authorization:^ Bearer^ %MINDSDB_SAMPLE_TOKEN%^"',
    };
    for (const shell of ["fish", "other", "powershell", "cmd"] as const) {
      const text = command(shell, "a", { variable: "MINDSDB_SAMPLE_TOKEN" });
      assert.ok(text.includes(headers[shell]), text);
    }
  });

  it("is one line without quoted text in cmd, where each sign is literal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const line = command("cmd", text + odd);
        assert.match(line, /^[\x20-\x7e]*$/);
        // After carets are removed, nothing that cmd obeys was without one.
        assert.ok(!/(?<!\^)["%!&|<>()]/.test(line.replaceAll("^^", "")), line);
        const body = readWindowsArguments(line.replace(/\^(.)/g, "$1")).at(-1)!;
        assert.deepEqual(JSON.parse(body), { agent: { prompt_template: text + odd } });
      }),
      { numRuns: 100 },
    );
  });
});

/** Splits a command line as programs of Windows do: backslashes escape quotes, and each other before quotes. */
function readWindowsArguments(line: string): string[] {
  const words = [""];
  let isQuoted = false;
  for (const [part, slashes = "", sign] of line.matchAll(/(\\*)(")|[^]/g)) {
    const isSpace = part === " " && !isQuoted;
    if (isSpace) words.push("");
    else if (sign === undefined) words[words.length - 1] += part;
    else {
      words[words.length - 1] += "\\".repeat(slashes.length >> 1);
      if (slashes.length % 2 > 0) words[words.length - 1] += '"';
      else isQuoted = !isQuoted;
    }
  }
  return words;
}
