// What a user sees after an action. A page draws it a moment later, so each of these waits for it.
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { eventually } from "./eventually.ts";

/** Waits until an element shows this text, or a text like this. */
export async function expectText(shown: Locator, says: string | RegExp): Promise<void> {
  await eventually(async () => {
    const text = await shown.innerText({ timeout: 5_000 });
    if (typeof says === "string") assert.equal(text, says);
    else assert.match(text, says);
  });
}

/** Waits until these elements show exactly these texts, in this order. */
export async function expectTexts(shown: Locator, texts: readonly string[]): Promise<void> {
  await eventually(async () => assert.deepEqual(await shown.allInnerTexts(), texts));
}

/** Waits until an input holds this value. */
export async function expectValue(input: Locator, value: string): Promise<void> {
  await eventually(async () => assert.equal(await input.inputValue({ timeout: 5_000 }), value));
}

/** Waits until there are this many elements; 0 means that they have gone. */
export async function expectCount(shown: Locator, count: number): Promise<void> {
  await eventually(async () => assert.equal(await shown.count(), count));
}
