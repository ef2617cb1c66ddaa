// Names are read again after a change on the server, so that what was just created is not marked as unknown.
import assert from "node:assert/strict";
import { forgetChangedNames } from "../../../src/predict/host/forgetChangedNames.ts";
import type { ServerChange } from "../../../src/shared/connection.ts";

describe("Names of a server", () => {
  it("are forgotten when the server may have others, and what is marked is checked again", () => {
    const forgotten: string[] = [];
    let report: (change: ServerChange) => void = () => undefined;
    const servers = {
      onDidChange: () => ({ dispose: () => undefined }),
      onDidChangeServer: (listener: typeof report) => {
        report = listener;
        return { dispose: () => undefined };
      },
    } as unknown as Parameters<typeof forgetChangedNames>[0];
    const namesOf = (kind: string) =>
      ({ forget: (id?: string) => forgotten.push(`${kind} of ${id ?? "all"}`) }) as never;
    forgetChangedNames(servers, namesOf("models"), namesOf("tables"), () => {
      forgotten.push("checked");
    });
    const others = ["agents", "knowledgeBases", "views", "jobs", "triggers", "tables", "mlEngines"];
    for (const list of others as "views"[]) {
      forgotten.length = 0;
      report({ connectionId: "a", kind: "changed", list });
      assert.deepEqual(forgotten, ["tables of a", "checked"], list);
    }
    for (const list of ["models", "projects"] as const) {
      forgotten.length = 0;
      report({ connectionId: "a", kind: "changed", list });
      assert.deepEqual(forgotten, ["models of a", "tables of a", "checked"], list);
    }
    forgotten.length = 0;
    report({ connectionId: "a", kind: "changed", list: "queries" });
    assert.deepEqual(forgotten, []);
  });
});
