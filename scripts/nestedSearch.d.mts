import type { Rule } from "eslint";

/** The lint rule workbench/nested-search; it needs the parser of typescript-eslint. */
export const nestedSearch: Rule.RuleModule;
