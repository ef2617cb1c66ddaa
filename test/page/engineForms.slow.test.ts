// The forms of the engines that people use most, as real servers of both versions declare them: readable, nothing clipped.
import assert from "node:assert/strict";
import { createConnectionForm } from "../../src/dataSources/connectionFields.ts";
import { emptyDraft } from "../../src/dataSources/dataSourceDraft.ts";
import {
  dataSourceFormCalls,
  type DataSourceFormState,
} from "../../src/dataSources/dataSourceForm.ts";
import type { Handler } from "../../src/mindsdb/handlers.ts";
import { recordedHandlers } from "../unit/dataSources/recordedHandlers.ts";
import { themeNames, usePanelPages, type Theme } from "./panelPages.ts";

const engines = {
  "26.1.0": "postgres mysql mariadb mssql snowflake bigquery redshift duckdb".split(" "),
  // Those that 26.1.0 has not.
  "25.14.1": "mongodb clickhouse s3 sqlite".split(" "),
};
/** In the other themes only these: their forms have a field of each kind, and alternatives. */
const inAllThemes = ["postgres", "snowflake"];

describe("The forms of the most used engines", () => {
  const pages = usePanelPages("src/dataSources/page/dataSourceForm.tsx");

  for (const version of ["26.1.0", "25.14.1"] as const) {
    const names = engines[version];
    for (const theme of version === "26.1.0" ? themeNames : (["dark"] as const)) {
      it(`look right as ${version} declares them (${theme})`, async () => {
        const handlers = await recordedHandlers(version);
        for (const name of theme === "dark" ? names : inAllThemes) {
          const handler = handlers.find((one) => one.name === name); // few: a dozen engines
          assert.ok(handler, name);
          await lookAt(handler, version, theme);
        }
      });
    }
  }

  /** Once for each alternative that the form offers. */
  async function lookAt(handler: Handler, version: string, theme: Theme): Promise<void> {
    const options = createConnectionForm(handler).alternative?.options ?? [{ id: "" }];
    for (const { id: alternative } of options) {
      const draft = { ...emptyDraft(handler, "shop"), alternative };
      const form = { id: "one", connectionId: "local", initial: draft, draft };
      const known = { handler, taken: [] };
      const state: DataSourceFormState = { form, connection: "127.0.0.1:47334", known };
      const opened = await pages.show(dataSourceFormCalls, state, { theme, height: 1_300 });
      await opened.page.locator(".field").first().waitFor();
      const name = `engine-${[handler.name, alternative, version, theme].join("-")}`;
      await opened.checkLook(name, { fullPage: true });
      await opened.close();
    }
  }
});
