// The state of the form that connects a data source or creates an ML engine, and its calls to its host.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { formCalls, type FormState } from "../shared/formPage.ts";
import { dataSourceDraft } from "./dataSourceDraft.ts";
import type { Known } from "./validation.ts";
import { recordOf } from "../mindsdb/recordOf.ts";

const flags = recordOf(v.boolean());
const keys = recordOf(v.string());

export const dataSourceForm = v.object({
  id: v.string(),
  connectionId: v.string(),
  /** Absent for a data source. */
  isMlEngine: v.optional(v.literal(true)),
  /** The data source before the change, without its secrets; absent for a new one. */
  before: v.optional(dataSourceDraft),
  /** The fields whose values the server has and the form does not show. */
  storedKeys: v.optional(flags),
  draft: dataSourceDraft,
  initial: dataSourceDraft,
  hadKeys: v.optional(flags),
});
export type DataSourceForm = v.InferOutput<typeof dataSourceForm>;

export interface FormContent {
  known?: Known | undefined;
  /** The request that runs is only a test. */
  isTesting?: boolean;
}

/** Fields are named by parameters of the server. */
export type Field = string;

export type DataSourceFormState = FormState<DataSourceForm, Field> & FormContent;

export const dataSourceFormCalls = {
  ...formCalls(dataSourceDraft),
  /** Has the server try the connection; returns a status. */
  test: [dataSourceDraft, keys],
} as const;

export function formTitle(
  known: Known | undefined,
  { before, isMlEngine }: Pick<DataSourceForm, "before" | "isMlEngine">,
): string {
  if (isMlEngine) return l10n.t("Create ML Engine");
  if (before) return l10n.t("Edit {0}", before.name);
  const { title } = known?.handler ?? {};
  return title === undefined ? l10n.t("Connect Data Source") : l10n.t("Connect {0}", title);
}
