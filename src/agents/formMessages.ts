// Messages between the host and the page of the agent form.
import * as v from "valibot";
import { formRequests, type FormMessage } from "../shared/formFields.ts";
import { agentDraft } from "./agentDraft.ts";
import type { FormTexts } from "./formTexts.ts";
import type { Field, ListField, LoadedData } from "./validation.ts";

/** The shape of a form. */
export const agentForm = v.object({
  /** Unique for every form, so that saved state is not applied to another one. */
  id: v.string(),
  connectionId: v.string(),
  /** The agent before the change; absent for a new one. */
  before: v.optional(agentDraft),
  /** The edited or duplicated agent, whose model is sent, with its key if none is typed. */
  modelOf: v.optional(v.object({ project: v.string(), name: v.string(), hasKey: v.boolean() })),
  draft: agentDraft,
  /** The draft before any change by the user. */
  initial: v.optional(agentDraft),
  /** A key was typed for this draft; it is not stored. */
  hadKey: v.optional(v.boolean()),
});

/** The initial data of a form, which the page saves. */
export type AgentForm = v.InferOutput<typeof agentForm>;

/** `note` is shown with the new agent. */
const madeAgent = v.object({ name: v.string(), project: v.string(), note: v.string() });
export type CreatedAgent = v.InferOutput<typeof madeAgent>;

/** The page's saved state, which survives hiding and a reload of the window. Never contains a key. */
export const pageState = v.object({
  form: agentForm,
  /** The agent that the form has created. */
  made: v.nullish(madeAgent),
  /** A key was typed before; it is not stored. */
  hadKey: v.boolean(),
  /** Pixels from the top. */
  scroll: v.number(),
});
export type PageState = v.InferOutput<typeof pageState>;

export type ToPage =
  | { type: "begin"; form: AgentForm; connection: string; texts: FormTexts; locale: string }
  | { type: "loaded"; data: LoadedData }
  | { type: "picked"; field: ListField; entries: string[] }
  | { type: "described"; instruction: string }
  | { type: "created"; agent: CreatedAgent }
  | FormMessage<Field>;

const listField = v.picklist(["tables", "knowledgeBases"]);
const copyAs = v.picklist(["sql", "json", "curl"]);

/** Schema of every message that the page may send. */
export const toHost = v.variant("type", [
  ...formRequests,
  /** The lists or the project have changed: asks for the server's data about them. */
  v.object({ type: v.literal("look"), draft: agentDraft }),
  /** The draft has changed; `hasKey`: a key is or was typed. */
  v.object({ type: v.literal("changed"), draft: agentDraft, hasKey: v.boolean() }),
  v.object({ type: v.literal("pick"), field: listField, chosen: v.array(v.string()) }),
  /** Asks for an instruction made from the chosen data. */
  v.object({ type: v.literal("describe"), draft: agentDraft }),
  /** The only message that contains a key. */
  v.object({ type: v.literal("send"), draft: agentDraft, apiKey: v.string() }),
  /** `typedKey`: a key was typed; the copy has a placeholder. */
  v.object({ type: v.literal("copy"), as: copyAs, draft: agentDraft, typedKey: v.boolean() }),
  v.object({ type: v.literal("ask") }),
  /** Opens the page of the new agent. */
  v.object({ type: v.literal("show") }),
  v.object({ type: v.literal("edit") }),
  v.object({ type: v.literal("another") }),
]);
export type ToHost = v.InferOutput<typeof toHost>;
