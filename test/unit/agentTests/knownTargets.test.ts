// The agents that a server has, for completion and problems in test files: little memory, whatever it answers.
import assert from "node:assert/strict";
import { KnownTargets } from "../../../src/agentTests/host/files/knownTargets.ts";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";

describe("The agents known for test files", () => {
  /** Knows those of a server with these projects, which have these agents each. */
  const list = async (projects: string[], agents: string[]) => {
    const asked: string[] = [];
    const client = {
      secrets: new Secrets(),
      observe: () => undefined,
      get: (path: unknown) => {
        const isFirst = asked.push(String(path)) === 1;
        return Promise.resolve(
          isFirst
            ? projects.map((name) => ({ name, type: "project" }))
            : agents.map((name) => ({ name, params: {} })),
        );
      },
    };
    const known = new KnownTargets({ client: () => Promise.resolve(client) } as never);
    const names = await known.list({ id: "c" } as never, "agent");
    return { names: names && [...names], requests: asked.length };
  };
  const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `n${n}`);

  it("are those of all projects", async () => {
    assert.deepEqual(await list(["a", "b"], ["x", "y"]), {
      names: ["a/x", "a/y", "b/x", "b/y"],
      requests: 3,
    });
  });

  it("are not asked for in more than 500 projects", async () => {
    assert.deepEqual(await list(names(501), []), { names: undefined, requests: 1 });
  });

  it("are none if all of their names together are very long", async () => {
    assert.equal((await list(["p".repeat(1_000)], names(15_000))).names?.length, 15_000);
    assert.equal((await list(["p".repeat(1_000)], names(17_000))).names, undefined);
  });
});
