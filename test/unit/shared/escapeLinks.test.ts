// Server texts never become links in notifications or input boxes.
import assert from "node:assert/strict";
import { escapeLinks } from "../../../src/shared/escapeLinks.ts";

/** VS Code's pattern for such links (1.103 and 1.139). */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe("Escaping links", () => {
  for (const text of [
    "No agent [Fix it](command:workbench.action.quit) here.",
    '[a](https://mindsdb.example.com "why")',
    "[[a]](file:///etc/passwd)[b](command:x)",
  ]) {
    it(`leaves nothing to click in ${text}`, () => {
      assert.match(text, link);
      assert.doesNotMatch(escapeLinks(text), link);
      assert.equal(escapeLinks(text).replaceAll("\u200b", ""), text);
    });
  }

  it("does not change other texts", () => {
    const text = "Column [a] (of 3) is missing.";
    assert.equal(escapeLinks(text), text);
  });
});
