// Markdown to HTML: supported syntax follows CommonMark, and nothing else becomes markup.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import * as fc from "fast-check";
import { isLinkAddress } from "../../../src/shared/linkAddress.ts";
import { markdownToHtml } from "../../../src/shared/markdownToHtml.ts";
import { millisecondsOf } from "../../linearTime.ts";
import { textPieces } from "../../../src/shared/textChunks.ts";

const commonMark = createRequire(import.meta.url)("commonmark-spec") as {
  tests: { markdown: string; html: string; section: string; number: number }[];
};

/** The package writes tabs as arrows. */
const examples = commonMark.tests.map(({ markdown, html, number }) => ({
  number,
  markdown: markdown.replaceAll("→", "\t"),
  html: html.replaceAll("→", "\t"),
}));

const html = (source: string): string => [...markdownToHtml(source)].join("");
/** The words of an HTML text, in order. */
const words = (text: string): string[] => text.replace(/<[^>]*>/g, " ").match(/[\w*]+/g) ?? [];

const allowedTag =
  /^<\/?(p|br|hr|h[3-6]|blockquote|ul|ol|li|em|strong|s|code|pre|table|thead|tbody|tr|th|td|a)( (href|title|start|class)="[^"<>]*")*>$/;

describe("Markdown", () => {
  it("follows CommonMark, except for HTML, images and external links", () => {
    const same = examples.filter(({ markdown, html }) => {
      // Definitions of external links stay text.
      const differs = /<img|language-|<h[1-6]/.test(html) || /[<&]|https?:|\]:/.test(markdown);
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href);
      return !differs && links.every((href) => isLinkAddress(href));
    });
    assert.ok(same.length > 250, `${String(same.length)} examples compared`);
    const plain = (text: string) => text.replace(/ \/>/g, ">").replace(/>\n+(?=<\/block)/g, ">");
    const different = same.filter(
      (example) => plain(html(example.markdown)) !== plain(example.html),
    );
    assert.deepEqual(
      different.map(({ number }) => number),
      [],
    );
  });

  it("generates only its own markup from any CommonMark example", () => {
    for (const { markdown, number } of examples) {
      for (const [tag] of html(markdown).matchAll(/<[^>]*>/g)) {
        assert.match(tag, allowedTag, `example ${String(number)}`);
      }
    }
  });

  it("generates only its own markup from any text", () => {
    const piece = fc.constantFrom(
      ...[
        "<script>",
        "<img src=x onerror=y>",
        "](",
        "![",
        "[",
        "javascript:x",
        "https://a.b/",
        "\n",
      ],
      ...[
        "```",
        "`",
        "|",
        "|-|",
        "> ",
        "- ",
        "  ",
        "&lt;",
        "&#60;",
        "\\",
        '"',
        "'",
        "<a href=",
        "\0",
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
        for (const [tag] of html(pieces.join("")).matchAll(/<[^>]*>/g)) {
          assert.match(tag, allowedTag);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("shows images as text", () => {
    const text = html("![a <b>](https://example.com/x.png) ![r]\n\n[r]: https://example.com/y.png");
    assert.equal(
      text,
      "<p><code>![a &lt;b&gt;](https://example.com/x.png)</code> " +
        "<code>![r](https://example.com/y.png)</code></p>\n",
    );
  });

  it("aligns table cells by class", () => {
    const text = html("| a | b | c |\n| :- | -: | :-: |\n| 1 | 2 | 3 |");
    assert.match(text, /<td class="align-left">1<\/td>\n<td class="align-right">2<\/td>/);
    assert.doesNotMatch(text, /style/);
  });

  it("has headings below those of the page", () => {
    assert.equal(html("# One\n\n###### Six"), "<h3>One</h3>\n<h6>Six</h6>\n");
  });

  it("links only to websites and mail addresses", () => {
    const allowed = ["https://a.b/c?d=e#f", "HTTP://a.b", "mailto:a@b.c"];
    const refused = [
      ...[
        "javascript:alert(1)",
        "JaVaScRiPt:x",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
      ],
      ...[
        "command:workbench.action.quit",
        "vscode://x/y",
        "//a.b/c",
        "/a",
        "a",
        "#a",
        "https:a",
        "http://",
      ],
      ...["vscode-webview://x", "blob:x", `https://a.b/${"x".repeat(2000)}`],
    ];
    for (const address of allowed) assert.match(html(`[x](<${address}>)`), /<a href=/, address);
    for (const address of refused) {
      assert.doesNotMatch(html(`[x](<${address}>) <${address}>`), /<a /, address);
    }
  });

  describe("in a long text", () => {
    const paragraph = (index: number) =>
      `Paragraph ${String(index)} with [a link][ref] and **bold** words.`;
    const long = Array.from({ length: 400 }, (_, index) => paragraph(index)).join("\n\n");

    it("is split into small chunks", () => {
      const pieces = [...markdownToHtml(long)].filter((piece) => piece !== "");
      assert.ok(pieces.length >= 4);
      for (const piece of pieces) assert.ok(piece.length < 12_000);
    });

    it("loses no word and no block", () => {
      assert.equal(html(long).match(/<p>/g)?.length, 400);
      assert.deepEqual(
        words(html(long))
          .filter((word) => /^\d+$/.test(word))
          .map(Number),
        [...Array(400).keys()],
      );
    });

    it("finds link definitions anywhere", () => {
      const text = html(`${long}\n\n[ref]: https://example.com/`);
      assert.equal(text.match(/<a href="https:\/\/example.com\/">/g)?.length, 400);
    });

    it("repeats a table's header where it splits the table", () => {
      const rows = Array.from({ length: 1000 }, (_, index) => `| row ${String(index)} | x |`);
      const text = html(["| a | b |", "| - | - |", ...rows].join("\n"));
      assert.equal(text.match(/<td>row \d+<\/td>/g)?.length, 1000);
      const tables = text.match(/<table>/g)?.length ?? 0;
      assert.ok(tables > 1);
      assert.equal(text.match(/<th>a<\/th>/g)?.length, tables);
    });

    it("splits after a line of code in a paragraph that looks like a fence", () => {
      const pieces = [...markdownToHtml(`\`\`\`x\`\`\`\n\n${"A paragraph.\n\n".repeat(3_000)}`)];
      assert.ok(Math.max(...pieces.map(({ length }) => length)) < 10_000);
    });

    it("never splits a code fence", () => {
      const code = "SELECT 1;\n\n".repeat(3000);
      const text = html(`Before\n\n\`\`\`sql\n${code}\`\`\`\n\nafter`);
      const block = `<pre><code class="language-sql">${code}</code></pre>`;
      assert.equal(text, `<p>Before</p>\n${block}\n<p>after</p>\n`);
    });

    it("continues the numbering of a list that it splits", () => {
      const items = Array.from(
        { length: 1000 },
        (_, index) => `${String(index + 1)}. item of the list`,
      );
      const starts = [...html(items.join("\n")).matchAll(/<ol(?: start="(\d+)")?>([^]*?)<\/ol>/g)];
      let next = 1;
      for (const [, start = "1", body = ""] of starts) {
        assert.equal(Number(start), next);
        next += body.match(/<li>/g)?.length ?? 0;
      }
      assert.equal(next, 1001);
    });

    it("takes no longer for brackets that nothing closes", () => {
      const measure = (part: string): number => {
        const text = part.repeat(40_000 / part.length);
        const rounds = Array.from({ length: 5 }, () => millisecondsOf(() => html(text)));
        return Math.min(...rounds);
      };
      const usual = measure("!(") + 2;
      for (const brackets of ["[", "![", "![a ", "[!["]) {
        const ratio = measure(brackets) / usual;
        assert.ok(ratio < 10, `${brackets}: ${ratio}`);
      }
    });

    it("shows brackets as text where links would not fit", () => {
      const text = "![a](https://example.com) [b]";
      assert.match(html(text.repeat(100)), /<code>!\[a\]/);
      assert.doesNotMatch(html(text + "[".repeat(400)), /<code>|<a href="https:\/\/example.com">b/);
    });

    it("shows all of a very long line", () => {
      const text = html("x".repeat(50_000));
      assert.equal(text.replace(/[^x]/g, "").length, 50_000);
    });
  });
});

describe("Text chunks", () => {
  it("add up to the text, line by line", () => {
    const line = fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, ""));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        const pieces = [...textPieces(lines.join("\n"), 50)];
        assert.equal(pieces.join("\n"), lines.join("\n"));
        for (const piece of pieces) assert.ok(piece.length <= 50);
      }),
    );
  });

  it("split a long line, but never a character", () => {
    const pieces = [...textPieces("😀".repeat(101), 25)];
    assert.equal(pieces.join(""), "😀".repeat(101));
    for (const piece of pieces) assert.doesNotMatch(piece, /[\uD800-\uDBFF]$/);
  });
});
