// Calls whose names or arguments decide whether promptfoo takes them for tools, and patterns that look at their names.
import type { MatrixCall, MatrixCase } from "./verdictMatrix.ts";

const commands: unknown[] = [
  { cmd: "ls -l" },
  { command: ["ls", " -l "] },
  { commands: ["cd x", "ls"] },
  { cmd: " ", command: "ls" },
  { cmd: null, command: "ls" },
  { commands: ["", " "] },
  { command: [null] },
  { command: [[]] },
  { command: 5 },
  { query: "SELECT 1" },
  [{ cmd: "ls" }],
  "ls",
  undefined,
];

const names = [
  "shell",
  "Local_Shell",
  " exec_command\n",
  "bash",
  " sql ",
  "two\nlines",
  "two\u2028lines",
  "\r\n",
  "",
  "  ",
  "Straße",
  "\u212Ay",
  "İx",
  "a😀b",
];

const patterns = [
  "shell",
  "*shell",
  "execute_tool *",
  "exec_command",
  "ls",
  "ls*",
  "sql",
  " sql ",
  "?sql?",
  "execute_tool  sql ",
  "two*lines",
  "two?lines",
  "two\nlines",
  "*\nl?nes",
  "*",
  " ",
  "5",
  "STRASSE",
  "straße",
  "ky",
  "i*",
  "a?b",
  "a??b",
];

export function createToolStepCases(): MatrixCase[] {
  const callLists: MatrixCall[][] = [
    ...commands.flatMap((args) => ["shell", "bash", " "].map((name) => [{ name, args }])),
    ...names.map((name) => [{ name, args: { q: 1 } }]),
    ...names.map((name) => [
      { name: "shell", args: { cmd: "ls" } },
      { name, args: { cmd: "ls" } },
    ]),
  ];
  const values: [type: string, value: unknown][] = [
    ...patterns.flatMap((name): [string, unknown][] => [
      ["tool-used", name],
      ["tool-args-match", { name, args: {} }],
    ]),
    ["tool-sequence", { mode: "exact", steps: ["*"] }],
    ["tool-sequence", ["shell", "*"]],
    ["step-count", { type: "tool", min: 1 }],
    ["step-count", { type: ["tool", "reasoning"], pattern: "*l*", min: 2 }],
  ];
  return values.flatMap(([type, value]) =>
    ["", "not-"].flatMap((prefix) =>
      callLists.map((calls): MatrixCase => {
        return { assert: [{ type: `${prefix}trajectory:${type}`, value }], output: "x", calls };
      }),
    ),
  );
}

/** Arguments that are text, which promptfoo parses as JSON and trims if they are sent as they are. */
export function createTextArgumentCases(): MatrixCase[] {
  const texts = ["", "  ", " x ", "x", "5", "null", '{"a":1}', "[1]", '"q"', "{bad", "a\n"];
  const values = [...texts, 5, null, { a: 1 }, [1], "q", "a"];
  const assertions: [type: string, value: unknown][] = [
    ...values.flatMap((args): [string, unknown][] => [
      ["tool-args-match", { name: "find", args }],
      ["tool-args-match", { name: "find", args, mode: "exact" }],
    ]),
    ...values.map((name): [string, unknown] => ["tool-used", JSON.stringify(name)]),
    ["tool-used", "*"],
  ];
  return assertions.flatMap(([type, value]) =>
    ["", "not-"].flatMap((prefix) =>
      texts.flatMap((args) =>
        ["find", " "].map((name): MatrixCase => {
          const assertion = { type: `${prefix}trajectory:${type}`, value };
          return { assert: [assertion], output: "x", calls: [{ name, args }] };
        }),
      ),
    ),
  );
}
