// A user in a real VS Code, on real servers: one row with other values, a curve, and two runs that are compared. Each
// number on screen is the one that the predict endpoint gives for the row and the version.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually } from "../e2e/lib/eventually.ts";
import { Notebook } from "../e2e/lib/notebook.ts";
import { quickly, pressOnce } from "../e2e/lib/once.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";
import { predictPlainly, seededModel, needSecondVersion, uploadRows } from "./predictRuns.ts";
import { useRealWorkbench } from "./realWorkbench.ts";
import { homes, type Home } from "./rentals.ts";
import { SEEDED } from "./seed.ts";

const count = 400;
const table = "files.journey_homes";
const inputs = [
  "number_of_rooms",
  "number_of_bathrooms",
  "sqft",
  "location",
  "neighborhood",
  "days_on_market",
] as const;

for (const version of versions) {
  describe(`MindsDB ${version}, a user who compares versions of a model`, function () {
    this.timeout(180_000);
    const rows = homes(count, 29).map((row, id) => ({ id, ...row }));
    const clients = useClients(version);
    const right: Record<number, number[]> = {};

    before("have another version", async function () {
      this.timeout(5 * 60_000);
      const { admin } = clients;
      await uploadRows(admin, "journey_homes", rows);
      await needSecondVersion(admin);
      for (const number of [1, 2]) right[number] = await predictPlainly(admin, number, rows);
    });
    const journey = useRealWorkbench(version);
    before("be signed in", () => journey.tree.expand(["Real", "mindsdb", "Models"]));
    after("remove the rows", () => clients.admin.delete("/api/files/journey_homes"));

    const cell = (number: number): string =>
      JSON.stringify({ model: `${seededModel}.${number}`, rows: { table } });

    async function open(name: string, recipe: string): Promise<Notebook> {
      const file = path.join(journey.workbench.folder, name);
      fs.writeFileSync(file, `\`\`\`json predict\n${recipe}\n\`\`\`\n`);
      await journey.workbench.openFile(name);
      return Notebook.with(journey.workbench, name);
    }

    it("changes a value of a row, and draws a curve", async () => {
      const { workbench } = journey;
      const notebook = await open("row.predict.md", cell(2));
      const result = await notebook.runToEnd(60_000);
      await eventually(async () => {
        const predicted = await result.cell(3, "rental_price", "predicted");
        await predicted.click(quickly);
        assert.equal(await predicted.getAttribute("aria-selected", quickly), "true");
      });
      await result.button("What If…").click();
      const frame = await workbench.frameWith(".answer .value");
      const own = Object.fromEntries(inputs.map((name) => [name, rows[3]![name]])) as Partial<Home>;
      const answer = frame.locator(".answer .value");
      const expectAnswer = (value: number): Promise<void> =>
        eventually(async () => assert.equal(Number(await answer.innerText()), value));
      await expectAnswer(right[2]![3]!);
      await frame.getByRole("textbox", { name: "sqft", exact: true }).fill("1234");
      const [changed] = await predictPlainly(clients.admin, 2, [{ ...own, sqft: 1_234 }]);
      await expectAnswer(changed!);
      await pressOnce(frame.getByRole("button", { name: "Vary sqft…" }), "Enter");
      await frame.getByRole("img", { name: "rental_price by sqft" }).waitFor();
      await workbench.screenshot(`what-if-${version}`);
      await frame.getByText("Show as Table").click();
      const curve = await eventually(async () => {
        const cells = await frame.locator("tbody td").allInnerTexts();
        assert.ok(cells.length > 20);
        return cells.map(Number);
      });
      const sizes = curve.filter((_, at) => at % 2 === 0);
      const seen = [1_234, ...rows.map(({ sqft }) => sqft)];
      assert.deepEqual([sizes[0], sizes.at(-1)], [Math.min(...seen), Math.max(...seen)]);
      assert.deepEqual(
        curve.filter((_, at) => at % 2 === 1),
        await predictPlainly(
          clients.admin,
          2,
          sizes.map((sqft) => ({ ...own, sqft })),
        ),
      );
    });

    it("runs a cell with one version, then with the other, and compares", async () => {
      const { workbench } = journey;
      const notebook = await open("runs.predict.md", cell(1));
      await notebook.runToEnd(60_000);
      await notebook.paste(cell(2));
      const result = await notebook.runToEnd(60_000);
      await result.button("Compare Runs…").click();
      const { page, quickInput } = workbench;
      await quickInput.expect("Compare Runs");
      await quickInput.clickRow(quickInput.widget.locator(".monaco-list-row").first());
      const changes = rows
        .map(({ id }) => ({ id, size: Math.abs(right[1]![id]! - right[2]![id]!) }))
        .filter(({ size }) => size > 0)
        .sort((a, b) => b.size - a.size);
      const [first] = changes;
      const sides = page.locator(".monaco-diff-editor .view-lines");
      await eventually(async () => {
        const texts = (await sides.allInnerTexts()).map((text) => text.replaceAll("\u00a0", " "));
        for (const [at, number] of [1, 2].entries()) {
          assert.match(texts[at] ?? "", new RegExp(`${SEEDED.model} version ${number}\\s`));
          assert.match(
            texts[at] ?? "",
            new RegExp(`Changed rows: ${changes.length} of the first ${count}\\b`),
          );
          const [, row, value] = /Row (\d+)\s+([\d.]+)/.exec(texts[at] ?? "") ?? [];
          assert.equal(Number(row), first!.id + 1);
          assert.equal(Number(value), right[number]![first!.id]);
        }
      });
      await workbench.screenshot(`compare-runs-${version}`);
    });
  });
}
