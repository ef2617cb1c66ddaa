// What may be wrong with a knowledge base's draft, before it is sent and as a server reports it (serverErrors.ts).
import * as l10n from "@vscode/l10n";
import { createModelProblemTexts } from "../../shared/formTexts.ts";

export type ProblemKind = keyof ReturnType<typeof createProblemTexts>;

/** Returns the sentences; `{0}` and `{1}` are a problem's values. */
export function createProblemTexts() {
  return {
    ...createModelProblemTexts(),
    nameMissing: l10n.t("Give the knowledge base a name."),
    nameNotPlain: l10n.t("SQL can't find a knowledge base by this name. Try {0}."),
    storageShared: l10n.t(
      "The project {1} has a knowledge base {0}, and the server would delete its content: both would use one storage. Choose another name.",
    ),
    baseUrlMissing: l10n.t("{0} needs the address of its server."),
    storageInvalid: l10n.t("Enter a data source and a table, like vectors.docs."),
    sourceNotFound: l10n.t("{0} is not a data source of this server."),
    columnTwice: l10n.t("{0} is already used in another field. Use each column only once."),
    columnReserved: l10n.t(
      "Searches have a column {0} of their own, so its values could not be read. Name the column differently.",
    ),
    itemGone: l10n.t("The knowledge base {0} no longer exists. It was deleted."),
    providerRefused: l10n.t("This server has no embeddings of {0}. It has: {1}."),
    notAModel: l10n.t("The service at {0} is not a model of this kind. Check the base URL."),
    modelFails: l10n.t("The server tried the model, and it failed: {0}"),
    otherDimension: l10n.t(
      "The table holds vectors of {1} numbers, and the model makes {0}. Choose another table or model.",
    ),
    storageGone: l10n.t("{0} is not a data source of this server."),
    storageUnfit: l10n.t("{0} cannot hold vectors. Choose a vector store."),
    noEmbedding: l10n.t("This server has no default model. Choose a custom model."),
  };
}
