// Which models a connection has, for problems in cells: what is asked of the server, and how often.
import assert from "node:assert/strict";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { KnownModels } from "../../../src/predict/host/knownModels.ts";
import { useRecordedServer } from "./recordClient.ts";

describe("the models known for problems", () => {
  const server = useRecordedServer();
  const model = { project: "mindsdb", name: "home_rentals_model" };
  let models: KnownModels;

  beforeEach(() => {
    models = new KnownModels(server.servers, () => true);
  });

  it("come from the model's own project alone where it is there, once", async () => {
    assert.equal(await models.checkModel("sample", model), "exists");
    assert.equal(await models.checkModel("sample", { ...model, version: 1 }), "exists");
    assert.deepEqual(server.asked, ["/api/projects/mindsdb/models"]);
  });

  it("come from all projects where it is not", async () => {
    const check = (project: string, name: string, version?: number) =>
      models.checkModel("sample", { project, name, ...(version === undefined ? {} : { version }) });
    assert.equal(await check("mindsdb", "home_rental_model"), "noModel");
    assert.equal(await check("mindsdb", "home_rentals_model", 99), "noVersion");
    assert.equal(await check("nowhere", "home_rentals_model"), "noProject");
    assert.equal(server.asked.filter((path) => path === "/api/databases/").length, 1);
  });

  it("are told with the version that a name means", async () => {
    assert.equal(await models.findKnown("sample", model), undefined);
    await models.checkModel("sample", model);
    assert.equal((await models.findKnown("sample", model))?.version, 2);
    assert.equal((await models.findKnown("sample", { ...model, version: 1 }))?.version, 1);
    assert.equal(await models.findKnown("sample", { ...model, version: 99 }), undefined);
    assert.deepEqual(server.asked, ["/api/projects/mindsdb/models"]);
  });

  it("are asked for again when they are forgotten", async () => {
    await models.checkModel("sample", model);
    models.forget("sample");
    await models.checkModel("sample", model);
    assert.equal(server.asked.length, 2);
  });

  it("are unclear where they are in more projects than a server can be asked for, which it is not", async () => {
    const asked: string[] = [];
    const projects = Array.from({ length: 501 }, (_, n) => ({ name: `p${n}`, type: "project" }));
    const client = {
      secrets: new Secrets(),
      observe: () => undefined,
      get: (path: unknown) => {
        asked.push(String(path));
        return Promise.resolve(asked.length === 1 ? projects : []);
      },
    };
    const many = new KnownModels({ client: () => Promise.resolve(client) } as never, () => true);
    assert.deepEqual(await many.list("sample"), []);
    assert.equal(asked.length, 1);
    assert.equal(await many.checkModel("sample", { project: "mine", name: "m" }), "unclear");
  });

  it("are unclear where the server cannot be asked", async () => {
    const failing = new KnownModels(
      {
        client: () => Promise.reject(new Error("not there")),
      } as never,
      () => true,
    );
    assert.equal(await failing.checkModel("sample", model), "unclear");
    assert.equal(await failing.checkModel(undefined, model), "unclear");
  });
});
