// The HTML of a page, in which server data must stay text, and whose files are requested at once.
import assert from "node:assert/strict";
import { pageHtml } from "../../../src/shared/pageHtml.ts";

const page = {
  title: '</title><script>"&',
  language: "en",
  folder: "https://files",
  script: "chat.js",
  imports: ["page-1.js", '"page-2.js'],
  styles: [".chat { color: red; }", 'src: url("./icons.woff2");', "src:url(./minified.woff2)"],
  source: "https://files",
  nonce: "bm9uY2U=",
};

describe("The HTML of a page", () => {
  it("requests all scripts together", () => {
    assert.deepEqual(pageHtml(page).match(/<link .*>/g), [
      '<link rel="modulepreload" nonce="bm9uY2U=" href="https://files/page-1.js">',
      '<link rel="modulepreload" nonce="bm9uY2U=" href="https://files/&#34;page-2.js">',
    ]);
  });

  it("has its style sheets, whose files are beside them", () => {
    const [, styles] = /<style nonce="bm9uY2U=">\n([^<]*)<\/style>/.exec(pageHtml(page)) ?? [];
    assert.deepEqual(styles?.trim().split("\n"), [
      ".chat { color: red; }",
      'src: url("https://files/icons.woff2");',
      'src:url("https://files/minified.woff2")',
    ]);
    assert.match(pageHtml(page), /style-src 'nonce-bm9uY2U='/);
  });

  it("keeps titles and translations as text", () => {
    const html = pageHtml({ ...page, texts: { Ask: "</script><img>" } });
    assert.match(html, /<title>&#60;\/title&#62;&#60;script&#62;&#34;&#38;<\/title>/);
    assert.match(html, /\{"Ask":"\\u003c\/script>\\u003cimg>"\}/);
  });
});
