// The form that trains a model, in a browser: fields, first rows, problems, the request, and accessibility in every theme.
import assert from "node:assert/strict";
import { emptyTrainDraft, type TrainDraft, type TrainForm } from "../../src/models/trainDraft.ts";
import { trainCalls, type TrainContent, type TrainState } from "../../src/models/trainPage.ts";
import { toPreviewRows } from "../../src/tables/previewRows.ts";
import { hostileTens } from "./hostile.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { themeNames, usePanelPages, type PageOptions, type StatePage } from "./panelPages.ts";

type TrainPage = StatePage<TrainState, typeof trainCalls>;

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
const loaded: TrainContent = {
  choices: {
    projects: ["mindsdb", "support"],
    project: "mindsdb",
    items: [{ name: "rents", type: "model" }],
    engines: ["lightwood", "openai"],
  },
};
const read: TrainContent = { rows: { read: rows } };

describe("The form that trains a model", () => {
  const pages = usePanelPages("src/models/page/trainPage.tsx");

  const open = (
    form = formOf(),
    more: Partial<TrainState> = { ...loaded, ...read },
    options?: PageOptions,
  ): Promise<TrainPage> =>
    pages.show(trainCalls, { form, connection: "127.0.0.1:47334", ...more }, options);
  const problem = ({ page }: TrainPage, field: string, text: string | RegExp) =>
    page.locator(`[data-field=${field}] .problem-text`).getByText(text).waitFor();
  const choose = async ({ page }: TrainPage, field: string, label: string): Promise<void> => {
    await page.locator(`[data-field=${field}] select`).selectOption({ label });
  };
  /** The draft that the page has sent. */
  const sentDraft = async (form: TrainPage): Promise<TrainDraft> => {
    await eventually(() => assert.ok(form.calls.some(([name]) => name === "send")));
    return form.calls.find(([name]) => name === "send")?.[1] as TrainDraft;
  };

  it("sends a complete draft, with the first engine unless another is chosen", async () => {
    const form = await open(formOf({}, { table: "files.home_rentals" }));
    await form.page.locator("[data-field=name] input").fill("Rent Model");
    await choose(form, "target", "price");
    await form.page.locator(".rows th.target", { hasText: "price" }).waitFor();
    await form.button("Train Model").click();
    assert.deepEqual(await sentDraft(form), {
      ...emptyTrainDraft("mindsdb"),
      name: "rent_model",
      table: "files.home_rentals",
      target: "price",
      engine: "lightwood",
    });
  });

  it("names what is missing at its field, and sends nothing", async () => {
    const form = await open();
    await form.button("Train Model").click();
    await problem(form, "name", "Enter a name.");
    await problem(form, "table", "Select a table.");
    await problem(form, "target", "Select the column to predict.");
    await form.page.getByText("3 fields need attention.").waitFor();
    await form.page.locator("input#name:focus").waitFor();
    assert.ok(form.calls.every(([name]) => name !== "send"));
  });

  it("shows a refusal at its field, and forgets it when the field changes", async () => {
    const form = await open(formOf({}, { name: "rents2", table: "files.a", target: "price" }));
    await form.update({ sending: 2 });
    await form.page.getByText("Starting the training… 2 s", { exact: false }).waitFor();
    const failure = { field: "engine", text: "No such engine." } as const;
    await form.update({ sending: undefined, failure });
    await problem(form, "engine", failure.text);
    await form.page.locator("select#engine:focus").waitFor();
    await choose(form, "engine", "openai");
    await form.page.locator("[data-field=engine] .problem").waitFor({ state: "hidden" });
  });

  it("asks for a SELECT or a table, as the source says, and warns of one that may write", async () => {
    const form = await open();
    assert.equal(await form.page.locator("[data-field=select]").count(), 0);
    await choose(form, "source", "A SELECT");
    await form.page.locator("[data-field=table]").waitFor({ state: "detached" });
    await form.page.locator("[data-field=select] textarea").fill("SELECT * FROM pg (DROP TABLE t)");
    await problem(form, "select", /may change data/);
  });

  it("loads rows that may cost money only when the button is pressed", async () => {
    const form = await open(formOf({}, { source: "select", select: "SELECT * FROM mindsdb.a" }), {
      ...loaded,
      rows: { mayCost: true },
    });
    await form.page
      .getByText("Reading these rows may cost money, so they were not read.")
      .waitFor();
    const load = form.button("Load Preview…");
    assert.deepEqual(form.calls, []);
    await load.click();
    await eventually(() => assert.equal(form.made("loadRows").length, 1));
    await form.update({ rows: { isReading: true } });
    await load.waitFor({ state: "hidden" });
    await form.update(read);
    await form.page.getByRole("cell", { name: "1312" }).waitFor();
    assert.equal(await load.isHidden(), true);
  });

  it("retrains with the options and the query of the version before", async () => {
    const draft = { name: "rents", source: "same", target: "price", options: "sleep = 2" } as const;
    const query = "SELECT * FROM home_rentals";
    const form = await open(formOf({ kind: "retrain", version: 3, query }, draft), loaded);
    await form.page.getByText(query).waitFor();
    assert.equal(await form.page.locator("[data-field=name]").count(), 0);
    await choose(form, "activates", "Keep using the current version");
    await form.button("Retrain rents").click();
    const { activates, options } = await sentDraft(form);
    assert.deepEqual([activates, options], [false, "sleep = 2"]);
  });

  it("sends a key among its options, but neither saves nor notes it", async () => {
    const complete = { name: "m", table: "files.a", target: "price", engine: "openai" };
    const form = await open(formOf({}, complete));
    const options = form.page.locator("[data-field=options] textarea");
    await options.fill("window = 10\nopenai_api_key = open-sesame-1234567890");
    const stored = "window = 10\nopenai_api_key =";
    await eventually(() => assert.match(JSON.stringify(form.calls), /openai_api_key/));
    await eventually(async () => {
      const { form: saved } = (await form.state()) as { form: TrainForm };
      assert.equal(saved.draft.options, stored);
    });
    assert.doesNotMatch(JSON.stringify(form.calls), /sesame/);
    await form.button("Train Model").click();
    assert.match((await sentDraft(form)).options, /open-sesame-1234567890$/);

    const restored = await open(formOf({}, { ...complete, options: stored }));
    await restored.button("Train Model").click();
    await problem(
      restored,
      "options",
      "Enter a value for openai_api_key. Keys you enter are not stored.",
    );
  });

  it("shows what has started, and leads to its page", async () => {
    const form = await open();
    await form.update({ started: { project: "p", name: "rents", version: 2 } });
    await form.page.getByText("Training of rents (version 2) has started.").waitFor();
    await form.button("Show Model").click();
    await form.called("showModel");
  });

  it("shows hostile texts as text", async () => {
    const form = await open();
    for (const texts of hostileTens) {
      const text = texts.join("\n");
      await form.update({
        rows: {
          read: {
            columns: texts.map((name) => ({ name, type: name, isNumeric: false })),
            rows: [texts],
            hasMore: false,
          },
        },
        form: formOf({ id: text }, { table: text }),
        keptNote: text,
        failure: { field: "form", text },
      });
    }
  });

  for (const theme of themeNames) {
    it(`is accessible and clips nothing in ${theme}`, async () => {
      for (const [name, more] of [
        ["form", { keptNote: "These are your unsaved changes from Nov 24, 2026, 2:02 PM." }],
        ["refused", { failure: { field: "target", text: "No column." } }],
        ["started", { started: { project: "mindsdb", name: "rents", version: 1 } }],
      ] as [string, Partial<TrainState>][]) {
        const state = { ...loaded, ...read, ...more };
        const form = await open(formOf({}, { table: "files.home_rentals" }), state, { theme });
        await form.checkLook(`train-${name}-${theme}`);
      }
    });
  }

  it("fits a narrow page", async () => {
    const form = await open(formOf({}, { table: "files.home_rentals" }), undefined, { width: 360 });
    await form.checkLook("train-narrow");
  });
});
