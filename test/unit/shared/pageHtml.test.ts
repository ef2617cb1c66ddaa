// The HTML of a page, in which server data must stay text, and whose files are requested at once.
import assert from "node:assert/strict";
import { pageHtml } from "../../../src/shared/pageHtml.ts";

const page = {
  title: '</title><script>"&',
  language: "en",
  script: "https://files/chat.js",
  imports: ["https://files/page-1.js", 'https://files/"page-2.js'],
  styles: ["https://files/base.css", "https://files/chat.css"],
  source: "https://files",
  nonce: "bm9uY2U=",
};

describe("The HTML of a page", () => {
  it("requests all files together", () => {
    assert.deepEqual(pageHtml(page).match(/<link .*>/g), [
      '<link rel="stylesheet" href="https://files/base.css">',
      '<link rel="stylesheet" href="https://files/chat.css">',
      '<link rel="modulepreload" nonce="bm9uY2U=" href="https://files/page-1.js">',
      '<link rel="modulepreload" nonce="bm9uY2U=" href="https://files/&#34;page-2.js">',
    ]);
  });

  it("keeps titles and translations as text", () => {
    const html = pageHtml({ ...page, texts: { Ask: "</script><img>" } });
    assert.match(html, /<title>&#60;\/title&#62;&#60;script&#62;&#34;&#38;<\/title>/);
    assert.match(html, /\{"Ask":"\\u003c\/script>\\u003cimg>"\}/);
  });
});
