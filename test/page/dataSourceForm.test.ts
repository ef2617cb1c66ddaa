// The form of a data source in a browser: fields by handler, secrets, testing, and how it looks.
import assert from "node:assert/strict";
import { emptyDraft } from "../../src/dataSources/dataSourceDraft.ts";
import {
  dataSourceFormCalls,
  type DataSourceFormState,
} from "../../src/dataSources/dataSourceForm.ts";
import { createStoredDraft } from "../../src/dataSources/storedDraft.ts";
import type { Handler } from "../../src/mindsdb/handlers.ts";
import type { JsonObject } from "../../src/mindsdb/json.ts";
import type { Handlers } from "../../src/shared/pageProtocol.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { themeNames, usePanelPages, type PageOptions, type StatePage } from "./panelPages.ts";

type FormPage = StatePage<DataSourceFormState, typeof dataSourceFormCalls>;

const canary = "canary-password-31";
const argument = (name: string, more: object = {}) => {
  return {
    name,
    type: "str",
    label: undefined,
    description: `What ${name} is.`,
    isRequired: true,
    isSecret: undefined,
    ...more,
  };
};
const postgres: Handler = {
  kind: "data",
  name: "postgres",
  title: "PostgreSQL",
  description: "",
  isReady: true,
  importError: undefined,
  arguments: [
    argument("user"),
    argument("password", { type: "pwd" }),
    argument("database"),
    argument("host"),
    argument("port", { type: "int" }),
    argument("sslmode", { isRequired: false }),
    argument("connection_parameters", { type: "dict", isRequired: false }),
  ],
};
const web: Handler = { ...postgres, name: "web", title: "Web", arguments: undefined };
const taken = [{ name: "support", kind: "project" }] as const;

describe("The form of a data source", () => {
  const pages = usePanelPages("src/dataSources/page/dataSourceForm.tsx");

  const open = (
    handler: Handler,
    options?: PageOptions & { handlers?: Partial<Handlers<typeof dataSourceFormCalls>> },
    name = "",
  ): Promise<FormPage> => {
    const draft = emptyDraft(handler, name);
    const form = { id: "one", connectionId: "local", initial: draft, draft };
    const known = { handler, taken };
    const state: DataSourceFormState = { form, connection: "127.0.0.1:47334", known };
    return pages.show(dataSourceFormCalls, state, options);
  };

  it("tests with the password, which is nowhere else", async () => {
    const form = await open(postgres);
    await form.press("Test Connection");
    await form.page.getByText("5 fields need attention.").waitFor();
    assert.deepEqual(form.made("test"), []);
    await form.fill("name", "support");
    await form.fill("arg-host", "db.example");
    await form.fill("arg-user", "me");
    await form.fill("arg-database", "shop");
    await form.fill("arg-password", canary);
    await eventually(async () =>
      assert.match(await form.field("name").innerText(), /has a project named support/),
    );
    await form.fill("name", "Shop");
    await form.press("Test Connection");
    const values = { port: "5432", host: "db.example", user: "me", database: "shop" };
    const draft = { ...emptyDraft(postgres, "shop"), values };
    await eventually(() =>
      assert.deepEqual(form.made("test"), [["test", draft, { "arg-password": canary }]]),
    );
    assert.ok(!JSON.stringify(form.made("change")).includes(canary));
    assert.ok(!JSON.stringify(await form.state()).includes(canary));
    await form.update({ sending: 4, isTesting: true });
    await form.page.getByText("Testing… 4 of at most 90 s").waitFor();
    await form.press("Cancel");
    await eventually(() => assert.equal(form.made("cancel").length, 1));
  });

  it("shows no status of an earlier test once another one has failed", async () => {
    const answers = ["The server can connect.", undefined];
    const handlers = { test: () => answers.shift() };
    const form = await open(postgres, { handlers }, "shop");
    for (const name of ["host", "user", "database", "password"]) {
      await form.fill(`arg-${name}`, "x");
    }
    await form.press("Test Connection");
    await form.page.getByText("The server can connect.").waitFor();
    await form.press("Test Connection");
    await eventually(async () =>
      assert.equal(await form.page.getByText("The server can connect.").count(), 0),
    );
  });

  it("takes free names and values, and keeps those of secrets to itself", async () => {
    const form = await open(web, {}, "site");
    const row = form.field("rows").locator("li").first();
    await row.locator("input").nth(0).fill("api_token");
    await row.locator("input").nth(1).fill(canary);
    await form.press("Add Parameter");
    const second = form.field("rows").locator("li").nth(1);
    await second.locator("input").nth(0).fill("depth");
    await second.locator("input").nth(1).fill("3");
    assert.equal(await row.locator("input").nth(1).getAttribute("type"), "password");
    await form.press("Connect");
    await eventually(() => {
      const [, draft, keys] = form.made("send").at(0) ?? [];
      assert.deepEqual(keys, { "row-1": canary });
      assert.deepEqual((draft as { rows: unknown }).rows, [
        { id: "1", name: "api_token", value: "" },
        { id: "2", name: "depth", value: "3" },
      ]);
    });
    assert.ok(!JSON.stringify(await form.state()).includes(canary));
  });

  it("creates an ML engine with its key and with what its kind does not declare", async () => {
    const handler: Handler = { ...postgres, kind: "ml", name: "openai", title: "OpenAI" };
    const engine = { ...handler, arguments: undefined };
    const draft = emptyDraft(engine, "openai");
    const state: DataSourceFormState = {
      form: { id: "one", connectionId: "local", isMlEngine: true, initial: draft, draft },
      connection: "127.0.0.1:47334",
      known: { handler: engine, taken },
    };
    const form = await pages.show(dataSourceFormCalls, state);
    await form.page.getByText("OpenAI on 127.0.0.1:47334").waitFor();
    assert.equal(await form.page.getByRole("button", { name: "Test Connection" }).count(), 0);
    await form.fill("arg-openai_api_key", canary);
    await form.press("Add Parameter");
    const row = form.field("rows").locator("li").first();
    await row.locator("input").nth(0).fill("api_base");
    await row.locator("input").nth(1).fill("http://host.example/v1");
    await form.press("Create");
    const rows = [{ id: "1", name: "api_base", value: "http://host.example/v1" }];
    await eventually(() =>
      assert.deepEqual(form.made("send"), [
        ["send", { ...draft, rows }, { "arg-openai_api_key": canary }],
      ]),
    );
    assert.ok(!JSON.stringify(await form.state()).includes(canary));
  });

  const stored = (handler: Handler, parameters: JsonObject): DataSourceFormState => {
    const source = { name: "shop", engine: handler.name, parameters };
    const { draft, storedKeys } = createStoredDraft(handler, source);
    const common = { id: "one", connectionId: "local", initial: draft, draft };
    const form = { ...common, before: draft, storedKeys };
    return { form, connection: "127.0.0.1:47334", known: { handler, taken } };
  };
  const shop = { user: "me", password: canary, host: "h", port: 5432, database: "shop" };

  it("changes a stored data source, of whose secrets it knows only that they are there", async () => {
    const form = await pages.show(dataSourceFormCalls, stored(postgres, shop));
    await form.page.getByRole("heading", { name: "Edit shop" }).waitFor();
    assert.equal(await form.field("name").count(), 0);
    const password = form.field("arg-password").locator("input");
    assert.equal(await password.getAttribute("placeholder"), "Unchanged");
    assert.equal(await password.inputValue(), "");
    await form.fill("arg-port", "5433");
    await form.press("Save");
    await eventually(() => {
      const [, draft, keys] = form.made("send").at(0) ?? [];
      assert.deepEqual((draft as { values: object }).values, {
        ...{ user: "me", host: "h", port: "5433", database: "shop" },
      });
      assert.deepEqual(keys, {});
    });
    assert.ok(!JSON.stringify(await form.state()).includes(canary));
  });

  it("removes a stored secret that is optional, when the user says so", async () => {
    const [token, ...others] = postgres.arguments ?? [];
    const optional = { ...token!, name: "api_token", label: "Token", isRequired: false };
    const handler = { ...postgres, arguments: [optional, ...others] };
    const form = await pages.show(dataSourceFormCalls, stored(handler, { api_token: canary }));
    const input = form.field("arg-api_token").locator("input");
    await form.press("Remove Stored Value");
    await eventually(async () =>
      assert.equal(await input.getAttribute("placeholder"), "Will be removed"),
    );
    await form.press("Keep Stored Value");
    await form.press("Remove Stored Value");
    await eventually(() => {
      const [, draft] = form.made("change").at(-1) ?? [];
      assert.deepEqual((draft as { removed: string[] }).removed, ["api_token"]);
    });
  });

  for (const theme of themeNames) {
    it(`looks right (${theme}), wide and narrow`, async () => {
      const form = await open(postgres, { theme }, "shop");
      await form.fill("arg-password", canary);
      await form.update({
        failure: { field: "arg-password", text: "The server could not connect." },
      });
      await form.field("arg-password").getByText("The server could not connect.").waitFor();
      await form.checkLook(`data-source-form-${theme}`);
      await form.checkNarrow(`data-source-form-${theme}`);
      await form.close();
      const free = await open(web, { theme, width: 300 }, "site");
      await free.checkLook(`data-source-rows-${theme}`);
      await free.close();
      const edited = await pages.show(dataSourceFormCalls, stored(postgres, shop), { theme });
      await edited.checkLook(`data-source-edit-${theme}`);
    });
  }
});
