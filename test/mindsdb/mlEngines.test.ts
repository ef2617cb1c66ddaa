// ML engines on real servers: their kinds, creating and deleting them, and what is said where one is missing.
import assert from "node:assert/strict";
import { buildParameters, emptyDraft } from "../../src/dataSources/dataSourceDraft.ts";
import { findEngineProblem, findMissingDriver } from "../../src/dataSources/serverErrors.ts";
import { findMissingEngine } from "../../src/mindsdb/engineMissing.ts";
import { AppError, isAppError } from "../../src/mindsdb/errors.ts";
import { listHandlers, type Handler } from "../../src/mindsdb/handlers.ts";
import {
  createMlEngine,
  deleteMlEngine,
  getMlEngine,
  listMlEngines,
  listModelsOfHandler,
} from "../../src/mindsdb/mlEngines.ts";
import { createModelStatement, sendTraining } from "../../src/mindsdb/training.ts";
import { findTrainingProblem } from "../../src/models/trainValidation.ts";
import { emptyTrainDraft } from "../../src/models/trainDraft.ts";
import { useClients } from "./clients.ts";
import { versions } from "./fixture.ts";
import { engineOf } from "./seed.ts";

for (const version of versions) {
  describe(`MindsDB ${version}, ML engines`, () => {
    const session = useClients(version);
    const name = "engine_under_test";
    const handler = engineOf(version);
    let handlers: Handler[] = [];
    const create = (kind: string, parameters: Record<string, unknown>) =>
      createMlEngine(session.client, { name, handler: kind, parameters });
    const failure = async (work: Promise<unknown>): Promise<string> => {
      const error: unknown = await work.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof AppError, "it must fail");
      return error.message;
    };
    const names = async () => (await listMlEngines(session.client)).map((one) => one.name);

    before(async () => {
      handlers = await listHandlers(session.client, { kind: "ml" });
    });
    after(() => session.admin.sql(`DROP ML_ENGINE IF EXISTS ${name}`));

    it("are of kinds that the server lists, with their drivers that are missing", () => {
      const find = (wanted: string) => handlers.find((one) => one.name === wanted);
      assert.equal(find(handler)?.isReady, true);
      assert.equal(find("mlflow")?.isReady, false);
      assert.equal(findMissingDriver(find("mlflow")?.importError ?? ""), "mlflow");
      assert.ok(!handlers.some((one) => one.name === "postgres" || one.name === "byom"));
    });

    it("keep their parameters exactly, are listed, and are deleted by their exact name", async () => {
      const { client } = session;
      const kind = handlers.find((one) => one.name === handler)!;
      const values = ["it's", 'a "b" \\n c', "two\nlines", ":p ü"];
      const rows = values.map((value, at) => ({ id: String(at), name: `p ${at}`, value }));
      const parameters = buildParameters(kind, { ...emptyDraft(kind, name), rows }, {});
      await create(handler, parameters);
      assert.deepEqual(await getMlEngine(client, name), { name, handler, parameters });
      assert.match(await failure(create(handler, {})), /already exists/);
      for (const other of [name.toUpperCase(), "files"]) {
        await assert.rejects(deleteMlEngine(client, other), (error) =>
          isAppError(error, "notFound"),
        );
      }
      await deleteMlEngine(client, name);
      assert.ok(!(await names()).includes(name));
    });

    it("stay while models use them, which the server names", async () => {
      const { client } = session;
      const models = await listModelsOfHandler(client, handler);
      assert.ok(models.some(({ project }) => project === "mindsdb"));
      const text = await failure(deleteMlEngine(client, handler));
      assert.match(text, new RegExp(`^Models use ${handler}: .*${models[0]!.name}`));
      assert.ok((await names()).includes(handler));
    });

    it("are not kept where they fail, and the reason is at its field", async () => {
      const bedrock = await failure(create("bedrock", {}));
      assert.equal(
        findEngineProblem(bedrock, ["aws_access_key_id"]).field,
        "arg-aws_access_key_id",
        bedrock,
      );
      const key = "sk-made-up-1234567890";
      const offline = await failure(create("openai", { openai_api_key: key }));
      const problem = findEngineProblem(offline, ["openai_api_key"]);
      assert.match(problem.text, /can't reach the provider: APIConnectionError/);
      assert.ok(!problem.text.includes(key) && !problem.text.includes("File"));
      assert.notEqual(findMissingDriver(await failure(create("mlflow", {}))), undefined);
      assert.ok(!(await names()).includes(name));
    });

    it("are what a training lacks that names one the server does not have", async () => {
      const draft = { ...emptyTrainDraft("mindsdb"), name: "never_trained", target: "a" };
      for (const engine of ["nosuch", "mlflow"]) {
        const select = "SELECT * FROM files.home_rentals";
        const { project, name: model, target } = draft;
        const statement = createModelStatement({ project, name: model, target, select, engine });
        const error: unknown = await sendTraining(session.client, statement).catch(
          (reason: unknown) => reason,
        );
        assert.equal(findTrainingProblem(error, { ...draft, engine })?.field, "engine");
        const missing = findMissingEngine((error as AppError).message);
        assert.equal(missing, engine === "nosuch" ? engine : undefined);
      }
    });
  });
}
