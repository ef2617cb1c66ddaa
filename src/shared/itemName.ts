// Checks the name of a new or renamed item: the items of a project share one namespace, whatever their kinds.
import { isSameName } from "../mindsdb/nameOrder.ts";
import type { ProjectItem } from "../mindsdb/listItems.ts";
import { toPlainName } from "../mindsdb/sql/plainName.ts";
import type { Problem } from "./formPage.ts";
import { formatMessage } from "./formatMessage.ts";
import { createNameProblemTexts } from "./formTexts.ts";

type NameKind = keyof ReturnType<typeof createNameProblemTexts>;

interface NameProblem<Kind extends string> {
  kind: Kind;
  values: string[];
}

/**
 * Finds another item with this name. Servers create both, and SQL then finds only one of them: an agent before a view,
 * a model and a knowledge base (seen on 26.1.0 and 25.14.1). Jobs have names of their own.
 */
export function findNameTaken(
  name: string,
  items: readonly ProjectItem[] | null | undefined,
): NameProblem<NameKind> | undefined {
  const taken = items?.find((other) => other.type !== "job" && isSameName(other.name, name));
  return taken && { kind: takenKinds.get(taken.type) ?? "nameTaken", values: [taken.name] };
}

const takenKinds = new Map<string, NameKind>([
  ["agent", "nameOfAgent"],
  ["knowledge_base", "nameOfKnowledgeBase"],
  ["model", "nameOfModel"],
  ["view", "nameOfView"],
]);

/** Finds what is wrong with a name; `suffix` makes a keyword a name. */
export function checkItemName(
  name: string,
  suffix: string,
  items: readonly ProjectItem[] | null | undefined,
): NameProblem<NameKind | "nameMissing" | "nameNotPlain"> | undefined {
  if (name === "") return { kind: "nameMissing", values: [] };
  const plain = toPlainName(name, suffix);
  if (plain === "") return { kind: "nameNotSayable", values: [] };
  if (plain !== name) return { kind: "nameNotPlain", values: [plain] };
  return findNameTaken(name, items);
}

/** The problem of a name at its field; `texts` are the sentences of this kind of item. */
export function findNameProblem(
  ...[name, suffix, items, texts]: [
    ...Parameters<typeof checkItemName>,
    { nameMissing: string; nameNotPlain: string },
  ]
): Problem<"name"> | undefined {
  const problem = checkItemName(name, suffix, items);
  if (!problem) return undefined;
  const { kind, values } = problem;
  const text = formatMessage({ ...createNameProblemTexts(), ...texts }[kind], ...values);
  return { field: "name", text, isMissing: kind === "nameMissing" };
}
