// Problems of an item's name and model, before and after it is sent.
import * as l10n from "@vscode/l10n";

export const modelProblems = {
  nameTaken: (name: string) =>
    l10n.t("The name {0} is already used in this project. Choose another name.", name),
  projectGone: (project: string) =>
    l10n.t("The project {0} is not on the server. Select another one.", project),
  noDefaultModel: () => l10n.t("This server has no default model. Select a custom model."),
  /** The title of the button that helps where a default model is missing or fails. */
  serverSettings: () => l10n.t("Server Settings"),
  providerMissing: () => l10n.t("Enter the model's provider."),
  providerUnknown: (provider: string) =>
    l10n.t("MindsDB is not known to support the provider {0}.", provider),
  modelNameMissing: () => l10n.t("Enter the model's name."),
  baseUrlInvalid: () => l10n.t("Enter a URL like https://host/path."),
  baseUrlWithoutPath: () => l10n.t("Most servers of this kind need the path /v1."),
  keyMissing: (provider: string) =>
    l10n.t("The server has no key of its own for {0}. Enter one.", provider),
  keyRefused: (provider: string) =>
    l10n.t("{0} does not accept this key. Enter another one.", provider),
  modelUnknown: (model: string, provider: string) =>
    l10n.t(
      "{1} has no model {0}. Check its name, and the base URL if there is one.",
      model,
      provider,
    ),
  modelUnreachable: (address: string) =>
    l10n.t(
      "The MindsDB server can't reach {0}. Check that the address works from the machine the server runs on.",
      address,
    ),
  serverSays: (message: string) => l10n.t("The server refused: {0}", message),
};
