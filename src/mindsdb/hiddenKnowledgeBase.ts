// Finds what hides a knowledge base from SQL: another item of its project with the same name.
import * as l10n from "@vscode/l10n";
import { AppError, isAppError } from "./errors.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import type { ItemPlace } from "./references.ts";

/**
 * Throws AppError "conflict" if a statement about the knowledge base would reach an agent, a model or a view: an agent
 * then calls its language model and is billed (seen on 26.1.0 and 25.14.1). Three requests; servers without one of the
 * lists have nothing to find.
 */
export async function checkIsVisible(
  client: Client,
  { project, name }: ItemPlace,
  options: CallOptions = {},
): Promise<void> {
  const sentences = {
    agents: () =>
      l10n.t(
        "An agent in {0} is also named {1}. SQL finds only the agent, so this knowledge base can't be read. Rename or delete the agent.",
        project,
        name,
      ),
    views: () =>
      l10n.t(
        "A view in {0} is also named {1}. SQL finds only the view, so this knowledge base can't be read. Delete the view.",
        project,
        name,
      ),
    models: () =>
      l10n.t(
        "A model in {0} is also named {1}. SQL finds only the model, so this knowledge base can't be read. Delete the model.",
        project,
        name,
      ),
  };
  const found = await Promise.all(
    (["agents", "views", "models"] as const).map(async (list) => {
      try {
        const path = apiPath`/api/projects/${project}/${list}/${name}`;
        client.secrets.learn(await client.get(path, options));
        return list;
      } catch (error) {
        if (isAppError(error, "signInNeeded") || options.signal?.aborted) throw error;
        return undefined;
      }
    }),
  );
  const hiding = found.find((list) => list !== undefined);
  if (hiding) throw new AppError("conflict", sentences[hiding]());
}
