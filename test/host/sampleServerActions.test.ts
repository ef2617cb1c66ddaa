import assert from "node:assert/strict";
import type { SampleServer } from "../../src/sample/host/sampleServer.ts";
import { SampleServerActions } from "../../src/sample/host/sampleServerActions.ts";
import { withWindow } from "./workbench.ts";

describe("The commands of the sample server", () => {
  it("read its lists again once it is reset, not before", async () => {
    const steps: string[] = [];
    const reset = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      steps.push("reset");
    };
    const tree = {
      revealConnection: () => Promise.resolve(),
      openConnection: () => Promise.resolve(),
      refreshConnection: () => void steps.push("refresh"),
    };
    const server = { presetAddress: undefined, reset } as unknown as SampleServer;
    const actions = new SampleServerActions(server, tree, () => undefined);
    const showWarningMessage = (...given: unknown[]) => Promise.resolve(given.at(-1));
    await withWindow({ showWarningMessage }, () => actions.reset());
    assert.deepEqual(steps, ["reset", "refresh"]);
  });
});
