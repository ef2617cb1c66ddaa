// The page that predicts one row with other values, in a browser: answers, order, curves, keyboard, themes.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Prediction, ToHost, ToPage, WhatIfRow } from "../../src/predict/whatIf/messages.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { hostileTexts } from "./hostile.ts";
import { PanelPages, themeNames, type PageOptions, type PanelPage } from "./panelPages.ts";

const { createWhatIfTexts } = await import("../../src/predict/whatIf/whatIfTexts.ts");

type WhatIfPage = PanelPage<ToHost, ToPage>;

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");
const row: WhatIfRow = {
  id: "row",
  connectionId: "local",
  model: { project: "mindsdb", name: "home_rentals_model", version: 2 },
  place: "row 12",
  inputs: [
    {
      name: "sqft",
      type: "integer",
      isNumber: true,
      own: "850",
      range: { kind: "numbers", from: 400, to: 1200, isWhole: true },
    },
    {
      name: "location",
      type: "categorical",
      isNumber: false,
      own: '"great"',
      range: { kind: "values", values: ['"great"', '"good"', '"poor"'] },
    },
    { name: "built", isNumber: false, own: "null", range: { kind: "values", values: [] } },
  ],
  values: ["850", '"great"', "null"],
};
const begin: ToPage = {
  type: "begin",
  row,
  model: "mindsdb.home_rentals_model.2",
  connection: "Local",
  texts: createWhatIfTexts(),
  locale: "en",
};
const prediction = (value: string): Prediction => ({
  value,
  confidence: 0.95,
  lower: 2700,
  upper: 3300,
});
const predicted = (request: number, value: string): ToPage => ({
  type: "predicted",
  request,
  target: "rental_price",
  own: prediction("3012.5"),
  present: prediction(value),
});

describe("The page that predicts with other values", function () {
  this.timeout(60_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/predict/page/whatIf/main.ts");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (messages: ToPage[], options?: PageOptions): Promise<WhatIfPage> =>
    pages.open<ToHost, ToPage>(messages, options);
  const field = ({ page }: WhatIfPage, name: string) =>
    page.getByRole("textbox", { name, exact: true });
  const answer = ({ page }: WhatIfPage) => page.locator(".answer");

  /** Waits for a message of the page. */
  async function sent(page: WhatIfPage, isWanted: (message: ToHost) => boolean): Promise<ToHost> {
    for (let tries = 0; tries < 100; tries++) {
      const found = page.sent.findLast(isWanted);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`Not sent: ${JSON.stringify(page.sent)}`);
  }

  it("sends the row at once, and each change with its digits", async () => {
    const page = await open([begin]);
    await sent(page, (message) => message.type === "predict" && message.request === 0);
    await page.post(predicted(0, "3012.5"));
    assert.match(
      await answer(page).innerText(),
      /rental_price\s+3012\.5\s+With the row's own values: 3012\.5\n/,
    );
    await field(page, "sqft").fill("9007199254740993");
    const change = await sent(page, (message) => message.type === "predict" && message.request > 0);
    assert.deepEqual(change, {
      type: "predict",
      request: 1,
      values: ["9007199254740993", '"great"', "null"],
    });
    await page.post(predicted(1, "3112.75"));
    assert.match(
      await answer(page).innerText(),
      /3112\.75\s+With the row's own values: 3012\.5 \(\+100\.25\)/,
    );
    assert.match(await answer(page).innerText(), /Confidence 0\.95 · 2700 to 3300/);
    await page.page.getByText("was 850").waitFor();
    await page.close();
  });

  it("never shows an answer for values that have been changed since", async () => {
    const page = await open([begin, predicted(0, "3012.5")]);
    await field(page, "sqft").fill("900");
    await sent(page, (message) => message.type === "predict" && message.request === 1);
    await page.post(predicted(1, "3100"));
    await page.post(predicted(0, "1"));
    assert.match(await answer(page).innerText(), /3100/);
    await page.close();
  });

  it("sets values back, one or all, by keyboard", async () => {
    const page = await open([begin]);
    await field(page, "sqft").fill("900");
    await field(page, "location").fill("");
    await page.page.getByRole("button", { name: "Reset sqft" }).focus();
    await page.page.keyboard.press("Enter");
    assert.equal(await field(page, "sqft").inputValue(), "850");
    await page.page.getByRole("button", { name: "Reset All" }).focus();
    await page.page.keyboard.press("Enter");
    const reset = await sent(
      page,
      (message) => message.type === "predict" && message.request === 4,
    );
    assert.deepEqual(reset, { type: "predict", request: 4, values: row.values });
    assert.equal(await page.page.getByRole("button", { name: "Reset All" }).isDisabled(), true);
    await page.close();
  });

  it("draws a curve over a number, with a table behind it, and again when another value changes", async () => {
    const page = await open([begin, predicted(0, "3012.5")]);
    await page.page.getByRole("button", { name: "Vary sqft…" }).click();
    const vary = await sent(page, (message) => message.type === "vary");
    assert.ok(vary.type === "vary");
    assert.deepEqual(
      [vary.input, vary.over[0], vary.over.at(-1), vary.over.length],
      [0, "400", "1200", 21],
    );
    const predictions = vary.over.map((json) => prediction(String(2000 + Number(json))));
    await page.post({ type: "varied", request: vary.request, values: vary.over, predictions });
    await page.page.getByRole("img", { name: "rental_price by sqft" }).waitFor();
    await page.page.getByText("Show as table").click();
    assert.equal(await page.page.getByRole("table").locator("tbody tr").count(), 21);
    await field(page, "location").fill("good");
    const again = await sent(
      page,
      (message) => message.type === "vary" && message.request > vary.request,
    );
    assert.equal(again.type === "vary" && again.values[1], '"good"');
    await page.page.getByRole("textbox", { name: "To (sqft)" }).fill("400");
    await page.page.getByRole("button", { name: "Draw" }).click();
    await page.page.getByText("Enter two different numbers").waitFor();
    await page.close();
  });

  it("comes back with what was typed and its curve after it was hidden", async () => {
    const page = await open([begin, predicted(0, "3012.5")]);
    const isVary = (message: ToHost) => message.type === "vary";
    await field(page, "location").fill("good");
    await page.page.getByRole("button", { name: "Vary sqft…" }).click();
    await page.page.getByRole("textbox", { name: "To (sqft)" }).fill("900");
    await page.page.getByRole("textbox", { name: "Values (sqft)" }).fill("3");
    page.sent.length = 0;
    await page.reload();
    assert.equal(await field(page, "location").inputValue(), "good");
    assert.equal(await page.page.getByRole("textbox", { name: "To (sqft)" }).inputValue(), "900");
    const vary = await sent(page, isVary);
    assert.ok(vary.type === "vary");
    assert.deepEqual(vary.over, ["400", "650", "900"]);
    assert.equal(vary.values[1], '"good"');
    const predictions = vary.over.map((json) => prediction(json));
    await page.post({ type: "varied", request: vary.request, values: vary.over, predictions });
    await page.page.getByRole("img", { name: "rental_price by sqft" }).waitFor();
    await page.close();
  });

  it("shows hostile names and values as text", async () => {
    const values = hostileTexts.map((text) => JSON.stringify(text));
    const inputs = hostileTexts.map((name, at) => ({
      name,
      isNumber: false,
      own: values[at]!,
      range: { kind: "values" as const, values: at === 0 ? values : [] },
    }));
    const page = await open([{ ...begin, row: { ...row, inputs, values } }]);
    let scripts = 0;
    await page.page.exposeFunction("pwned", () => scripts++);
    await page.page.getByRole("button", { name: "Vary" }).first().click();
    const predictions = values.map((value) => ({ value }));
    await page.post({ type: "varied", request: 1, values, predictions });
    await page.page.locator("svg").waitFor();
    assert.equal(scripts, 0);
    assert.equal(await page.page.locator("main img, main script, main iframe").count(), 0);
    await page.close();
  });

  for (const theme of themeNames) {
    it(`is accessible in ${theme}`, async () => {
      const page = await open([begin, predicted(0, "3112.75")], { theme, height: 1400 });
      await field(page, "sqft").fill("900");
      await page.page.getByRole("button", { name: "Vary sqft…" }).click();
      const vary = await sent(page, (message) => message.type === "vary");
      assert.ok(vary.type === "vary");
      const predictions = vary.over.map((json, at) => ({
        ...prediction(String(2000 + Number(json) + 40 * (at % 3))),
        lower: 1900 + Number(json),
        upper: 2180 + Number(json),
      }));
      await page.post(predicted(1, "3112.75"));
      await page.post({ type: "varied", request: vary.request, values: vary.over, predictions });
      await page.page.locator("svg").waitFor();
      await page.page.screenshot({ path: path.join(pictures, `what-if-${theme}.png`) });
      await page.page.getByText("Show as table").click();
      assert.deepEqual(await axeViolations(page.page.mainFrame()), []);
      assert.deepEqual(await clippedElements(page.page.mainFrame()), []);
      await page.close();
    });
  }
});
