// Texts of the agents feature, for tests outside VS Code.
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? { url: import.meta.resolve("../../page/vscodeStub.ts"), shortCircuit: true }
      : next(specifier, context),
});

export const { createFormTexts, formatProblem } =
  await import("../../../src/agents/host/formTexts.ts");
