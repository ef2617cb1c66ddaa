// A conversation as Markdown: what it holds, and that no text of a server or user changes its structure.
import assert from "node:assert/strict";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { formatConversation, formatRun } from "../../../src/chat/conversationMarkdown.ts";
import { ChatTextFormatter } from "../../../src/chat/chatTextFormatter.ts";
import type { AgentRun, Transcript } from "../../../src/chat/transcript.ts";
import { hostileTexts } from "../../page/hostile.ts";

const formatter = new ChatTextFormatter("en");
const agent = {
  connectionId: "c",
  connection: "Rentals",
  project: "mindsdb",
  name: "rental_agent",
};

const run: AgentRun = {
  id: 1,
  question: "Which is the cheapest?",
  startedAt: 0,
  state: "answered",
  took: 2_300,
  steps: [
    {
      n: 1,
      kind: "sql",
      state: "failed",
      query: { k: 1, final: false },
      at: 0,
      until: 500,
      parts: [
        { kind: "sql", text: "SELECT 1" },
        { kind: "observation", text: "a ``` b" },
      ],
    },
  ],
  answer: { format: "markdown", text: "The **studio**." },
};

const titles = (markdown: string): string[] => {
  const tokens = new MarkdownIt({ html: true }).parse(markdown, {});
  return tokens.flatMap((token, at) =>
    token.type === "heading_open" ? `${token.tag} ${tokens[at + 1]?.content ?? ""}` : [],
  );
};

describe("a conversation as Markdown", () => {
  it("holds questions, steps, statements, results, answers and times", () => {
    const transcript: Transcript = {
      chatId: "x",
      agent,
      waiting: [],
      runs: [{ ...run, former: [{ ...run, id: 0, state: "stopped", steps: [] }] }],
    };
    const text = formatConversation(transcript, formatter, (at) => `at ${String(at)}`);
    assert.equal(
      text,
      `# rental\\_agent

mindsdb on Rentals

## Which is the cheapest?

### Answer

The **studio**.

Stopped after 2.3 s. The server may still be processing this. · at 0

## Which is the cheapest?

### 1. Query 1 · 0.5 s · failed

SQL

\`\`\`sql
SELECT 1
\`\`\`

Result

\`\`\`\`
a \`\`\` b
\`\`\`\`

### Answer

The **studio**.

Answered in 2.3 s · at 0
`,
    );
  });

  it("says below a table of an answer or a step that the server may have more rows", () => {
    const table = (rows: number) =>
      `| a |\n| --- |\n${Array.from({ length: rows }, (_, at) => `| ${at} |`).join("\n")}`;
    const notesOf = (sql: string, rows: number, format: "table" | "markdown" = "table") => {
      const [step] = run.steps;
      const parts = [
        { kind: "sql" as const, text: sql },
        { kind: "observation" as const, text: table(rows) },
      ];
      const limited: AgentRun = {
        ...run,
        steps: [{ ...step!, state: "done", parts }],
        answer: { format, text: table(rows) },
      };
      const transcript = { chatId: "x", agent, waiting: [], runs: [limited] };
      const note = /There may be more rows: the server gives agents at most 100/g;
      return formatConversation(transcript, formatter, String).match(note)?.length ?? 0;
    };
    assert.equal(notesOf("SELECT a FROM t", 100), 2);
    // An answer in words has tables of the model's own.
    assert.equal(notesOf("SELECT a FROM t", 100, "markdown"), 1);
    assert.equal(notesOf("WITH x AS (SELECT a FROM t LIMIT 5) SELECT a FROM x", 100), 2);
    assert.equal(notesOf("SELECT a FROM t", 99), 0);
    assert.equal(notesOf("SELECT a FROM t LIMIT 100", 100), 0);
    assert.equal(notesOf("SHOW TABLES", 100), 0);
  });

  it("has the answer first for a comparison, and depends on no time", () => {
    const [step] = run.steps;
    const compare = (startedAt: number, took: number) =>
      formatRun({ ...run, startedAt, took, steps: [{ ...step!, until: took / 2 }] }, formatter, {
        isCompared: true,
      });
    const text = compare(1, 2_300);
    assert.equal(text, compare(2, 900));
    assert.deepEqual(titles(text).slice(1), ["h3 Answer", "h3 1. Query 1 · failed"]);
  });

  it("can hold questions and answers alone, and how a question without an answer ended", () => {
    const unanswered: AgentRun = { ...run, question: "And?", state: "stopped" };
    delete unanswered.answer;
    const runs = [run, unanswered];
    const transcript: Transcript = { chatId: "x", agent, waiting: [], runs };
    assert.equal(
      formatConversation(transcript, formatter, String, "answers"),
      [
        "# rental\\_agent",
        "mindsdb on Rentals",
        "## Which is the cheapest?",
        "The **studio**.",
        "## And?",
        "Stopped after 2.3 s. The server may still be processing this.\n",
      ].join("\n\n"),
    );
  });

  it("has results that are tables as tables", () => {
    const [step] = run.steps;
    const text = "| city | homes |\n| --- | --- |\n| *Ulm | 3 |";
    const parts = [{ kind: "observation" as const, text }];
    const markdown = formatRun({ ...run, steps: [{ ...step!, parts }] }, formatter);
    assert.ok(markdown.includes("\n| city | homes |\n| --- | --: |\n| \\*Ulm | 3 |\n"), markdown);
  });

  it("keeps a long question whole", () => {
    const question = `${"Why? ".repeat(50)}\n# no title`;
    const text = formatRun({ ...run, question }, formatter);
    assert.ok(text.includes(question));
    assert.equal(titles(text).length, 3);
  });

  it("keeps its titles whatever questions, names and results contain", () => {
    for (const hostile of [...hostileTexts, "```\nopen", "~~~~\nopen", "    code"]) {
      const { steps, ...rest } = run;
      const [step] = steps;
      const parts = [{ kind: "observation" as const, text: hostile }];
      const text = formatRun(
        { ...rest, question: hostile.slice(0, 500), steps: [{ ...step!, parts }] },
        formatter,
      );
      const found = titles(text);
      assert.equal(found.length, 3, JSON.stringify(hostile.slice(0, 200)));
      assert.deepEqual(found.slice(1), ["h3 1. Query 1 · 0.5 s · failed", "h3 Answer"]);
    }
  });

  it("ends with an answer what the answer leaves open", () => {
    for (const open of [
      ...["```\nx", "~~~~js\nx", "```\na\n```\n````\nb\n```", "```x``` is code in a paragraph"],
      ...["<!-- x", "a\n<script>", "<pre", "<STYLE >", "<?php", "<![CDATA[", "<!DOCTYPE", "<div>"],
    ]) {
      const answer = { format: "markdown" as const, text: open };
      const text = formatRun({ ...run, answer }, formatter) + formatRun(run, formatter);
      assert.equal(titles(text).length, 6, open);
    }
  });

  it("keeps an answer as it is otherwise", () => {
    const text =
      "a < b, [link](https://a.b)\n```html\n<!-- x -->\n![x](y)\n```\n1. a\n   ```sql\n   SELECT a<b\n   ```";
    const answer = { format: "markdown" as const, text };
    assert.ok(formatRun({ ...run, answer }, formatter).includes(text));
  });

  it("loads nothing when it is previewed, whatever a server says", () => {
    const image = "![x](https://h.i/a)";
    const html = "<img src='https://h.i/a'>";
    const parts = [
      image,
      html,
      "![x][r]",
      "[r]: https://h.i/a",
      "<!--",
      "<div>",
      "<?",
      "text",
      "\\",
    ];
    const blocks = ["`", "```", "```js", "````", "~~~", "~~~ `", "- ", "1. ", "> ", "# ", "|"];
    const spaces = [" ", "  ", "    ", "\t", "\n", "\n\n", "\r", "\u00a0", "\u2028"];
    // Line ends and blocks more often.
    const part = fc.constantFrom(...parts, ...blocks, ...spaces, "\n", "```", image);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 25 }), (chosen) => {
        const answer = { format: "markdown" as const, text: chosen.join("") };
        const hostile: AgentRun = {
          ...run,
          question: image,
          state: "failed",
          reason: image,
          answer,
        };
        const hostileAgent = { ...agent, name: image, project: image, connection: html };
        const transcript = { chatId: "x", agent: hostileAgent, waiting: [], runs: [hostile, run] };
        const tokens = new MarkdownIt({ html: true }).parse(
          formatConversation(transcript, formatter, String),
          {},
        );
        const types = tokens.flatMap(({ type, children }) =>
          [type].concat((children ?? []).map((child) => child.type)),
        );
        assert.ok(!types.some((type) => /image|html/.test(type)));
        const last = tokens.filter(({ type }) => type === "heading_open").slice(-3);
        assert.equal(last.map(({ tag, level }) => tag + String(level)).join(), "h20,h30,h30");
      }),
      { numRuns: 300, examples: [[[]], [[image]], [[html]]] },
    );
  });
});
