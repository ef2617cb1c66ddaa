// No text of a server becomes a link in a notification or an input box.
import assert from "node:assert/strict";
import { escapeLinks } from "../../../src/shared/escapeLinks.ts";

/** How VS Code finds links there (1.103 and 1.139). */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe("texts without links", () => {
  for (const text of [
    "No agent [Fix it](command:workbench.action.quit) here.",
    '[a](https://mindsdb.example.com "why")',
    "[[a]](file:///etc/passwd)[b](command:x)",
  ]) {
    it(`leave nothing to click in ${text}`, () => {
      assert.match(text, link);
      assert.doesNotMatch(escapeLinks(text), link);
      assert.equal(escapeLinks(text).replaceAll("\u200b", ""), text);
    });
  }

  it("leave every other text as it is", () => {
    const text = "Column [a] (of 3) is missing.";
    assert.equal(escapeLinks(text), text);
  });
});
