// Checks the name of a new or renamed item: the items of a project share one namespace, whatever their kinds.
import * as l10n from "@vscode/l10n";
import { isSameName } from "../mindsdb/nameOrder.ts";
import type { ProjectItem } from "../mindsdb/listItems.ts";
import { toPlainName } from "../mindsdb/sql/plainName.ts";
import type { Problem } from "./formPage.ts";
import { modelProblems } from "./modelProblems.ts";

type Items = readonly ProjectItem[] | null | undefined;

/**
 * Says that another item has this name. Servers create both, and SQL then finds only one of them: an agent before a view,
 * a model and a knowledge base (seen on 26.1.0 and 25.14.1). Jobs have names of their own.
 */
export function findNameTaken(name: string, items: Items): string | undefined {
  const taken = items?.find((other) => other.type !== "job" && isSameName(other.name, name));
  if (!taken) return undefined;
  switch (taken.type) {
    case "agent":
      return l10n.t("This project has an agent named {0}. Choose another name.", taken.name);
    case "knowledge_base":
      return l10n.t(
        "This project has a knowledge base named {0}. Choose another name.",
        taken.name,
      );
    case "model":
      return l10n.t("This project has a model named {0}. Choose another name.", taken.name);
    case "view":
      return l10n.t("This project has a view named {0}. Choose another name.", taken.name);
    default:
      return modelProblems.nameTaken(taken.name);
  }
}

interface NameTexts {
  missing: string;
  /** `name` is one that SQL finds. */
  notPlain: (name: string) => string;
}

/** Finds what is wrong with a name; `suffix` makes a keyword a name. */
export function findNameProblem(
  name: string,
  suffix: string,
  items: Items,
  { missing, notPlain }: NameTexts,
): Problem<"name"> | undefined {
  if (name === "") return { field: "name", text: missing, isMissing: true };
  const plain = toPlainName(name, suffix);
  let text = findNameTaken(name, items);
  if (plain === "") {
    text = l10n.t("Use lowercase letters, digits, and underscores, with at least one letter.");
  } else if (plain !== name) text = notPlain(plain);
  return text === undefined ? undefined : { field: "name", text };
}
