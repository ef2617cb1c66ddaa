// The form that trains a model, in a browser: fields, first rows, problems, the request, and accessibility in every theme.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { emptyTrainDraft, type TrainDraft, type TrainForm } from "../../src/models/trainDraft.ts";
import type { ToHost, ToPage } from "../../src/models/trainMessages.ts";
import { toPreviewRows } from "../../src/tables/previewRows.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { hostileTexts } from "./hostile.ts";
import { PanelPages, themeNames, type PageOptions, type PanelPage } from "./panelPages.ts";

const { createTrainTexts } = await import("../../src/models/trainTexts.ts");

type TrainPage = PanelPage<ToHost, ToPage>;

const pictures = path.resolve(import.meta.dirname, "..", "..", "out", "screenshots", "page");

function formOf(change: Partial<TrainForm> = {}, draft: Partial<TrainDraft> = {}): TrainForm {
  const full = { ...emptyTrainDraft("mindsdb"), ...draft };
  return {
    id: "f1",
    connectionId: "local",
    kind: "create",
    draft: full,
    initial: full,
    ...change,
  };
}

const rows = toPreviewRows({
  columns: ["sqft", "location", "price"],
  rows: [
    [359, "good", 1312],
    [509, null, 1687],
  ],
});
const loaded: ToPage = {
  type: "loaded",
  choices: {
    projects: ["mindsdb", "support"],
    project: "mindsdb",
    items: [{ name: "rents", type: "model" }],
    engines: ["lightwood", "openai"],
  },
};
const read: ToPage = { type: "rows", isReading: false, rows };

describe("The form that trains a model", function () {
  this.timeout(60_000);
  let pages: PanelPages;
  before(async () => {
    pages = await PanelPages.start("src/models/page/train/main.ts");
    fs.mkdirSync(pictures, { recursive: true });
  });
  after(() => pages.stop());

  const open = (
    form = formOf(),
    more: ToPage[] = [loaded, read],
    options?: PageOptions,
  ): Promise<TrainPage> =>
    pages.open<ToHost, ToPage>(
      [
        {
          type: "begin",
          form,
          connection: "127.0.0.1:47334",
          texts: createTrainTexts(form),
          locale: "en",
        },
        ...more,
      ],
      options,
    );
  const button = ({ page }: TrainPage, name: string) =>
    page.getByRole("button", { name, exact: true });
  const problem = ({ page }: TrainPage, field: string) =>
    page.locator(`[data-field=${field}] .problem-text`).first();
  const choose = async ({ page }: TrainPage, field: string, label: string): Promise<void> => {
    await page.locator(`[data-field=${field}] [role=combobox]`).click();
    await page.locator(`[data-field=${field}] li[role=option]`, { hasText: label }).click();
  };

  it("sends a complete draft, with the first engine unless another is chosen", async () => {
    const form = await open(formOf({}, { table: "files.home_rentals" }));
    await form.page.locator("[data-field=name] input").fill("Rent Model");
    await choose(form, "target", "price");
    await form.page.locator(".rows th.target", { hasText: "price" }).waitFor();
    await button(form, "Train Model").click();
    const sent = form.sent.find((message) => message.type === "send");
    assert.deepEqual(sent?.type === "send" && sent.draft, {
      ...emptyTrainDraft("mindsdb"),
      name: "rent_model",
      table: "files.home_rentals",
      target: "price",
      engine: "lightwood",
    });
  });

  it("names what is missing at its field, and sends nothing", async () => {
    const form = await open();
    await button(form, "Train Model").click();
    assert.equal(await problem(form, "name").innerText(), "Enter a name.");
    assert.equal(await problem(form, "table").innerText(), "Choose a table.");
    assert.equal(await problem(form, "target").innerText(), "Choose the column to predict.");
    assert.ok(form.sent.every(({ type }) => type !== "send"));
    await form.page.getByText("3 fields need attention.").waitFor();
  });

  it("shows a refusal at its field, and forgets it when the field changes", async () => {
    const form = await open(formOf({}, { name: "rents2", table: "files.a", target: "price" }));
    await form.post({ type: "sending", elapsed: 2_000 });
    await form.page.getByText("Starting the training… 2 s", { exact: false }).waitFor();
    await form.post({ type: "refused", notice: { field: "engine", text: "No such engine." } });
    assert.equal(await problem(form, "engine").innerText(), "No such engine.");
    await choose(form, "engine", "openai");
    assert.equal(await form.page.locator("[data-field=engine] .problem").isHidden(), true);
  });

  it("asks for a SELECT or a table, as the source says, and warns of one that may write", async () => {
    const form = await open();
    assert.equal(await form.page.locator("[data-field=select]").isHidden(), true);
    await choose(form, "source", "A SELECT");
    assert.equal(await form.page.locator("[data-field=table]").isHidden(), true);
    await form.page.locator("[data-field=select] textarea").fill("SELECT * FROM pg (DROP TABLE t)");
    assert.match(await problem(form, "select").innerText(), /may change data/);
  });

  it("loads rows that may cost money only when the button is pressed", async () => {
    const unread: ToPage = { type: "rows", isReading: false, mayCost: true };
    const form = await open(formOf({}, { source: "select", select: "SELECT * FROM mindsdb.a" }), [
      loaded,
      unread,
    ]);
    await form.page
      .getByText("Reading these rows may cost money, so they were not read.")
      .waitFor();
    const load = button(form, "Load Preview…");
    assert.ok(form.sent.every(({ type }) => type !== "loadRows"));
    await load.click();
    assert.equal(form.sent.filter(({ type }) => type === "loadRows").length, 1);
    await form.post({ type: "rows", isReading: true });
    await load.waitFor({ state: "hidden" });
    await form.post(read);
    await form.page.getByRole("cell", { name: "1312" }).waitFor();
    assert.equal(await load.isHidden(), true);
  });

  it("retrains with the options and the query of the version before", async () => {
    const draft = { name: "rents", source: "same", target: "price", options: "sleep = 2" } as const;
    const query = "SELECT * FROM home_rentals";
    const form = await open(formOf({ kind: "retrain", version: 3, query }, draft), [loaded]);
    await form.page.getByText(query).waitFor();
    assert.equal(await form.page.locator("[data-field=name]").count(), 0);
    await choose(form, "activates", "Keep using the current version");
    await button(form, "Retrain rents").click();
    const sent = form.sent.find((message) => message.type === "send");
    assert.deepEqual(sent?.type === "send" && [sent.draft.activates, sent.draft.options], [
      false,
      "sleep = 2",
    ]);
  });

  it("shows what has started, and leads to its page", async () => {
    const form = await open();
    await form.post({ type: "started", training: { project: "p", name: "rents", version: 2 } });
    await form.page.getByText("Training of rents (version 2) has started.").waitFor();
    await button(form, "Show Model").click();
    assert.deepEqual(form.sent.at(-1), { type: "showModel" });
  });

  it("shows hostile texts as text", async () => {
    const form = await open();
    for (const text of hostileTexts) {
      await form.post({
        type: "rows",
        isReading: false,
        rows: {
          columns: [{ name: text, type: text, isNumeric: false }],
          rows: [[text]],
          hasMore: false,
        },
      });
      await form.post({ type: "picked", table: text });
      await form.post({ type: "refused", notice: { field: "form", text } });
    }
    assert.deepEqual([form.watch.errors, form.watch.violations], [[], []]);
  });

  for (const theme of themeNames) {
    it(`is accessible and clips nothing in ${theme}`, async () => {
      const wrong: ToPage = { type: "refused", notice: { field: "target", text: "No column." } };
      const started: ToPage = {
        type: "started",
        training: { project: "mindsdb", name: "rents", version: 1 },
      };
      for (const [name, more] of [
        ["form", [loaded, read]],
        ["refused", [loaded, read, wrong]],
        ["started", [loaded, read, started]],
      ] as [string, ToPage[]][]) {
        const form = await open(formOf({}, { table: "files.home_rentals" }), more, { theme });
        await form.page.screenshot({ path: path.join(pictures, `train-${name}-${theme}.png`) });
        assert.deepEqual(await axeViolations(form.page.mainFrame()), [], name);
        assert.deepEqual(await clippedElements(form.page.mainFrame()), [], name);
      }
    });
  }

  it("fits a narrow page", async () => {
    const form = await open(formOf({}, { table: "files.home_rentals" }), undefined, { width: 360 });
    await form.page.screenshot({ path: path.join(pictures, "train-narrow.png") });
    assert.deepEqual(await clippedElements(form.page.mainFrame()), []);
  });
});
