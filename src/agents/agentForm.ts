// State and calls of the agent form.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { formCalls, type FormState } from "../shared/formPage.ts";
import { agentDraft } from "./agentDraft.ts";
import type { Field } from "./agentProblems.ts";
import type { ListField, LoadedData } from "./validation.ts";
import { recordOf } from "../mindsdb/recordOf.ts";

const hadKeys = recordOf(v.boolean());

export const agentForm = v.pipe(
  v.object({
    id: v.string(),
    connectionId: v.string(),
    before: v.optional(agentDraft),
    /** The edited or duplicated agent, whose model is sent, with its key if none is typed. */
    modelOf: v.optional(v.object({ project: v.string(), name: v.string(), hasKey: v.boolean() })),
    draft: agentDraft,
    initial: v.optional(agentDraft),
    hadKeys: v.optional(hadKeys),
    /** In forms of version 0.1.0. */
    hadKey: v.optional(v.boolean()),
  }),
  v.transform(({ hadKey = false, ...form }) => ({
    ...form,
    hadKeys: form.hadKeys ?? { apiKey: hadKey },
  })),
);
export type AgentForm = Omit<v.InferOutput<typeof agentForm>, "hadKeys"> & {
  hadKeys?: Record<string, boolean> | undefined;
};

/** `note` is shown with the new agent. */
export const createdAgent = v.object({ name: v.string(), project: v.string(), note: v.string() });
type CreatedAgent = v.InferOutput<typeof createdAgent>;

export interface AgentFormContent {
  loaded?: LoadedData | undefined;
  /** The new agent; the form is finished. */
  created?: CreatedAgent | undefined;
}

export type AgentFormState = FormState<AgentForm, Field> & AgentFormContent;

const listField = v.picklist(["tables", "knowledgeBases"] satisfies ListField[]);
const copyFormat = v.picklist(["sql", "curl"]);
export type CopyFormat = v.InferOutput<typeof copyFormat>;

export const agentFormCalls = {
  ...formCalls(agentDraft),
  /** Returns what the user has picked, given what is chosen. */
  pick: [listField, v.array(v.string())],
  /** Returns an instruction made from the chosen data; empty if that failed. */
  describe: [agentDraft],
  /** Returns a status. */
  copy: [copyFormat, agentDraft, hadKeys],
  ask: [],
  /** Opens the page of the new agent. */
  show: [],
  edit: [],
  another: [],
} as const;

/** Returns the title of the form and its tab. */
export function formTitle({ before, modelOf }: Pick<AgentForm, "before" | "modelOf">): string {
  if (before) return l10n.t("Edit {0}", before.name);
  return modelOf ? l10n.t("Duplicate {0}", modelOf.name) : l10n.t("Create Agent");
}
