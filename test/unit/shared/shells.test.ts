// Arguments for the shells of terminals. Those of fish and sh were checked with fish 3.6 and zsh 5.9, and sh runs here; for
// PowerShell and cmd it follows their documented rules.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { getShell, quoteArgument, type Shell } from "../../../src/shared/shells.ts";

describe("the shell of a terminal", () => {
  it("is known by its path", () => {
    const shells: [path: string, shell: Shell][] = [
      ["/bin/bash", "posix"],
      ["/usr/bin/zsh", "posix"],
      ["", "posix"],
      ["/usr/local/bin/fish", "fish"],
      ["C:\\WINDOWS\\System32\\WindowsPowerShell\\v1.0\\powershell.exe", "powershell"],
      ["/usr/bin/pwsh", "powershell"],
      ["C:\\Windows\\System32\\CMD.EXE", "cmd"],
      ["C:\\Program Files\\Git\\bin\\bash.exe", "posix"],
      ["/usr/bin/nu", "other"],
      ["/bin/tcsh", "other"],
    ];
    for (const [path, shell] of shells) assert.equal(getShell(path), shell, path);
  });
});

describe("an argument of a command to copy", () => {
  const rows: [text: string, ...quoted: Record<Exclude<Shell, "other">, string | undefined>[]][] = [
    ["a b-1.yaml", same('"a b-1.yaml"')],
    ["préis.yaml", same('"préis.yaml"')],
    ["it's", { posix: "'it'\\''s'", fish: "'it\\'s'", powershell: "'it''s'", cmd: undefined }],
    ["a\\", { posix: "'a\\'", fish: "'a\\\\'", powershell: "'a\\'", cmd: undefined }],
    [
      "\\'; touch b #",
      {
        posix: "'\\'\\''; touch b #'",
        fish: "'\\\\\\'; touch b #'",
        powershell: "'\\''; touch b #'",
        cmd: undefined,
      },
    ],
    ["a’;b", { posix: "'a’;b'", fish: "'a’;b'", powershell: "'a’’;b'", cmd: undefined }],
    ["$(b)", { posix: "'$(b)'", fish: "'$(b)'", powershell: "'$(b)'", cmd: undefined }],
    ['a"b', { posix: "'a\"b'", fish: "'a\"b'", powershell: undefined, cmd: undefined }],
    ["%PATH%&calc", { ...same("'%PATH%&calc'"), cmd: undefined }],
    // A terminal takes the rest for typed.
    ["a\u001b[201~b", same(undefined)],
    ["a\nb", same(undefined)],
  ];

  function same(text: string | undefined): Record<Exclude<Shell, "other">, string | undefined> {
    return { posix: text, fish: text, powershell: text, cmd: text };
  }

  it("is quoted by the rules of each shell, or refused", () => {
    for (const [text, quoted] of rows) {
      for (const [shell, expected] of Object.entries(quoted!)) {
        assert.equal(quoteArgument(text, shell as Shell), expected, `${text} in ${shell}`);
      }
    }
    assert.equal(quoteArgument("it's", "other"), undefined);
  });

  it("arrives in sh unchanged", () => {
    const text = fc.array(fc.constantFrom(..."ab '\"\\$`!;&|<>()*?[]{}#~^%=字-\u2019"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(
        text.map((signs) => signs.join("")),
        (name) => {
          const { stdout } = spawnSync("sh", [
            "-c",
            `printf '%s' ${quoteArgument(name, "posix")!}`,
          ]);
          assert.equal(stdout.toString(), name);
        },
      ),
      { numRuns: 25 },
    );
  });
});
