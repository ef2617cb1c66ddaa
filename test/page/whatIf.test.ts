// The page that predicts one row with other values, in a browser: answers, order, curves, keyboard, themes.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import {
  whatIfCalls,
  type Answer,
  type Prediction,
  type WhatIfRow,
  type WhatIfState,
} from "../../src/predict/whatIf/whatIfPage.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { hostileTexts } from "./hostile.ts";
import { themeNames, usePanelPages, type PageOptions, type StatePage } from "./panelPages.ts";

type WhatIfPage = StatePage<WhatIfState, typeof whatIfCalls>;
type VaryRequest = { values: string[]; input: number; over: string[] };

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
const prediction = (value: string): Prediction => ({
  value,
  confidence: 0.95,
  lower: 2700,
  upper: 3300,
});
const answerOf = (values: string[], value: string): Answer => ({
  values,
  target: "rental_price",
  own: prediction("3012.5"),
  present: prediction(value),
});
const empty: WhatIfState = {
  row,
  model: "mindsdb.home_rentals_model.2",
  connection: "Local",
  isLoading: false,
  isAnswerOld: false,
};
const answered = { ...empty, answer: answerOf(row.values, "3012.5") };

describe("The page that predicts with other values", () => {
  const pages = usePanelPages("src/predict/page/whatIf/whatIfPage.tsx");

  const open = (state: WhatIfState, options?: PageOptions): Promise<WhatIfPage> =>
    pages.show(whatIfCalls, state, options);
  const field = ({ page }: WhatIfPage, name: string) => page.getByLabel(name, { exact: true });
  const answer = ({ page }: WhatIfPage) => page.locator(".answer");

  /** Waits for the page's last call of this name, and for what it is with. */
  async function lastCall<Given>(
    page: WhatIfPage,
    wanted: string,
    isWanted: (given: Given) => boolean = () => true,
  ): Promise<Given> {
    for (let tries = 0; tries < 1500; tries++) {
      const found = page.calls.findLast(([name]) => name === wanted)?.[1] as Given | undefined;
      if (found !== undefined && isWanted(found)) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`Not called: ${JSON.stringify(page.calls)}`);
  }

  const predicted = (page: WhatIfPage, ...values: string[]): Promise<string[]> =>
    lastCall<string[]>(page, "predict", (given) => isDeepStrictEqual(given, values));
  const varied = (page: WhatIfPage, isWanted?: (given: VaryRequest) => boolean) =>
    lastCall(page, "vary", isWanted);

  const varySqft = async (page: WhatIfPage) => {
    await page.page.getByRole("button", { name: "Vary sqft…" }).click();
    return varied(page);
  };

  /** What the host answers to a curve's request. */
  const curveOf = ({ input, over, values }: VaryRequest, predictions: Prediction[]) => ({
    varied: { input, target: "rental_price", over, values, predictions },
  });

  it("saves no typed secret, and the row's own value in its place", async () => {
    const inputs = ["password", "smtp_pin", "note"].map((name) => ({
      ...{ name, isNumber: false, own: '"own"' },
      range: { kind: "values" as const, values: ['"own"'] },
    }));
    const values = inputs.map(({ own }) => own);
    const page = await open({ ...empty, row: { ...row, inputs, values } });
    await predicted(page, ...values);
    for (const [name, secret] of [
      ["password", "canary-4711"],
      ["smtp_pin", "canary-4711"],
      ["note", "https://ada:canary-4711@host.example/"],
      ["note", "Bearer sk-canary4711canary4711canary4711canary"],
    ] as const) {
      await field(page, name).fill("plain canary");
      await field(page, name).fill(secret);
      await lastCall<string[]>(page, "predict", (given) => given.some((v) => v.includes(secret)));
      const saved = JSON.stringify(await page.state());
      assert.doesNotMatch(saved, /canary-?4711/, `${name}: ${secret}`);
      assert.deepEqual((await page.state())["values"], values);
    }
    await field(page, "note").fill("plain");
    await eventually(async () =>
      assert.deepEqual((await page.state())["values"], ['"own"', '"own"', '"plain"']),
    );
  });

  it("sends the row at once, and each change with its digits", async () => {
    const page = await open(empty);
    await predicted(page, ...row.values);
    await page.update({ answer: answered.answer });
    assert.match(await answer(page).innerText(), /rental_price\s+3012\.5\s+Original: 3012\.5\n/);
    await field(page, "sqft").fill("9007199254740993");
    const change = await predicted(page, "9007199254740993", '"great"', "null");
    await page.update({ answer: answerOf(change, "3112.75") });
    assert.match(await answer(page).innerText(), /3112\.75\s+Original: 3012\.5 \(\+100\.25\)/);
    assert.match(await answer(page).innerText(), /Confidence 0\.95 · 2700 to 3300/);
    await page.page.getByText("was 850").waitFor();
  });

  it("never shows an answer for values that have been changed since", async () => {
    const page = await open(answered);
    await field(page, "sqft").fill("900");
    const change = await predicted(page, "900", '"great"', "null");
    await page.update({ answer: answerOf(change, "3100") });
    await page.update({ answer: answerOf(row.values, "1") });
    assert.match(await answer(page).innerText(), /3100/);
  });

  it("keeps what is typed, also where it is another text for the same value", async () => {
    const page = await open(empty);
    await field(page, "sqft").fill("");
    await field(page, "sqft").pressSequentially(" 900");
    await predicted(page, "900", '"great"', "null");
    assert.equal(await field(page, "sqft").inputValue(), " 900");
  });

  it("marks what is no number at its field, and does not send it", async () => {
    const page = await open(answered);
    await field(page, "sqft").fill("abc");
    await page.page.getByText("Enter a number.").waitFor();
    await page.page.locator(".answer.old").waitFor();
    await field(page, "sqft").fill("900");
    await predicted(page, "900", '"great"', "null");
    assert.equal(await page.page.getByText("Enter a number.").count(), 0);
    assert.deepEqual(
      page.calls.filter(([, values]) => (values as string[])[0] === '"abc"'),
      [],
    );
  });

  it("offers the values that the data have, and warns of others", async () => {
    const page = await open(answered);
    const { page: screen } = page;
    await field(page, "location").selectOption("good");
    await predicted(page, "850", '"good"', "null");
    // The field has the focus and its text is selected before the next key, which comes in a task of its own.
    const selected = await field(page, "location").evaluate(async (list) => {
      (list as HTMLSelectElement).selectedIndex = -1 + (list as HTMLSelectElement).length;
      list.dispatchEvent(new Event("change", { bubbles: true }));
      await Promise.resolve();
      const { activeElement: input } = document;
      if (!(input instanceof HTMLInputElement)) return undefined;
      return input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0);
    });
    assert.equal(selected, "good");
    await field(page, "location").pressSequentially("awesome");
    await predicted(page, "850", '"awesome"', "null");
    await screen.getByText("The data contains only these values: great, good, poor").waitFor();
    await screen.getByRole("button", { name: "Reset location" }).click();
    await predicted(page, ...row.values);
    await screen.locator("select:focus").waitFor();
    assert.equal(await field(page, "location").inputValue(), "great");
  });

  it("sets values back, one or all, by keyboard", async () => {
    const page = await open(empty);
    await field(page, "sqft").fill("900");
    await field(page, "location").selectOption("no value");
    await page.page.getByRole("button", { name: "Reset sqft" }).press("Enter");
    await predicted(page, "850", "null", "null");
    assert.equal(await field(page, "sqft").inputValue(), "850");
    await page.page.getByRole("button", { name: "Reset All" }).press("Enter");
    await predicted(page, ...row.values);
    assert.equal(await page.page.getByRole("button", { name: "Reset All" }).isDisabled(), true);
    assert.equal(
      await field(page, "sqft").evaluate((node) => node === document.activeElement),
      true,
    );
  });

  it("draws a curve over a number, with a table, and again when another value changes", async () => {
    const page = await open(answered);
    const vary = await varySqft(page);
    assert.deepEqual(
      [vary.input, vary.over[0], vary.over.at(-1), vary.over.length],
      [0, "400", "1200", 21],
    );
    const predictions = vary.over.map((json) => prediction(String(2000 + Number(json))));
    await page.update(curveOf(vary, predictions));
    await page.page.getByRole("img", { name: "rental_price by sqft" }).waitFor();
    await page.page.getByText("Show as Table").click();
    await eventually(async () =>
      assert.equal(await page.page.getByRole("table").locator("tbody tr").count(), 21),
    );
    await field(page, "location").selectOption("good");
    await varied(page, ({ values }) => values[1] === '"good"');
    await page.page.getByRole("textbox", { name: "To (sqft)" }).fill("400");
    await page.page.getByRole("textbox", { name: "To (sqft)" }).press("Enter");
    await page.page.getByText("From and To must differ, and Values must be at least 2.").waitFor();
  });

  it("asks for a value, not for numbers, where an input to vary has none", async () => {
    const page = await open(answered);
    await page.page.getByRole("button", { name: "Vary built…" }).click();
    await page.page.getByText("A value is missing.").waitFor();
  });

  it("comes back with what was typed and its curve after it was hidden", async () => {
    const page = await open(answered);
    await field(page, "location").selectOption("good");
    await page.page.getByRole("button", { name: "Vary sqft…" }).click();
    await page.page.getByRole("textbox", { name: "To (sqft)" }).fill("900");
    await page.page.getByRole("textbox", { name: "Values (sqft)" }).fill("3");
    page.calls.length = 0;
    await page.reload();
    assert.equal(await field(page, "location").inputValue(), "good");
    assert.equal(await page.page.getByRole("textbox", { name: "To (sqft)" }).inputValue(), "900");
    const vary = await varied(page, ({ over }) => over.length === 3);
    assert.deepEqual(vary.over, ["400", "650", "900"]);
    assert.equal(vary.values[1], '"good"');
    await page.update(curveOf(vary, vary.over.map(prediction)));
    await page.page.getByRole("img", { name: "rental_price by sqft" }).waitFor();
  });

  it("predicts nothing again after it was hidden, as a prediction may cost money", async () => {
    const page = await open(answered);
    const vary = await varySqft(page);
    await page.update(curveOf(vary, vary.over.map(prediction)));
    page.calls.length = 0;
    await page.reload();
    await page.page.getByRole("img", { name: "rental_price by sqft" }).waitFor();
    await field(page, "sqft").fill("900");
    await predicted(page, "900", '"great"', "null");
    const calls = page.calls.filter(([name]) => name === "predict" || name === "vary");
    assert.deepEqual(
      calls.map(([name]) => name),
      ["predict"],
    );
  });

  it("shows the beginnings of long values beside a curve", async () => {
    const page = await open(answered);
    const vary = await varySqft(page);
    const long = JSON.stringify("long ".repeat(40_000));
    await page.update(
      curveOf(
        vary,
        vary.over.map(() => prediction(long)),
      ),
    );
    await page.page.getByText("Show as Table").click();
    const cells = await page.page.getByRole("table").locator("td").allTextContents();
    assert.equal(cells.length, 42);
    for (const cell of cells) assert.ok(cell.length <= 200, String(cell.length));
  });

  it("shows hostile names and values as text", async () => {
    // The host refuses longer values.
    const values = hostileTexts.map((text) => JSON.stringify(text.slice(0, 10_000)));
    const inputs = hostileTexts.map((name, at) => ({
      name,
      isNumber: false,
      own: values[at]!,
      range: { kind: "values" as const, values: at === 0 ? values : [] },
    }));
    const page = await open({ ...empty, row: { ...row, inputs, values } });
    await page.page.getByRole("button", { name: "Vary" }).first().click();
    const vary = await varied(page);
    const predictions = vary.over.map((value) => ({ value }));
    await page.update({ answer: answerOf(values, values[0]!), ...curveOf(vary, predictions) });
    await page.page.locator("svg").waitFor();
    assert.equal(await page.page.locator("main img, main script, main iframe").count(), 0);
  });

  for (const theme of themeNames) {
    it(`is accessible in ${theme}`, async () => {
      const page = await open(empty, { theme, height: 1400 });
      await field(page, "sqft").fill("900");
      await page.page.getByRole("button", { name: "Vary sqft…" }).click();
      const vary = await varied(page, ({ values }) => values[0] === "900");
      const predictions = vary.over.map((json, at) => ({
        ...prediction(String(2000 + Number(json) + 40 * (at % 3))),
        lower: 1900 + Number(json),
        upper: 2180 + Number(json),
      }));
      const answer = answerOf(["900", '"great"', "null"], "3112.75");
      await page.update({ answer, ...curveOf(vary, predictions) });
      await page.page.locator("svg").waitFor();
      await page.page
        .locator("svg", { hasText: /rental_price.*sqft.*was 850.*now 900/s })
        .waitFor();
      await page.picture(`what-if-${theme}`);
      await page.page.getByText("Show as Table").click();
      await page.checkLook(`what-if-table-${theme}`);
      const text = "Predictions of this model may cost money. Nothing was sent.";
      await page.update({ notice: { text, isQuestion: true, action: "Predict" } });
      await page.page.getByText(text).waitFor();
      await page.checkLook(`what-if-waits-${theme}`);
    });
  }
});
