// Import this before code of the extension's host: the words of the product come from VS Code's API.
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? { url: import.meta.resolve("../page/vscodeStub.ts"), shortCircuit: true }
      : next(specifier, context),
});
