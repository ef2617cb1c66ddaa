// What the agent form's host and page say to each other.
import * as v from "valibot";
import { noticeButtonPressed, type Notice } from "../shared/itemPage.ts";
import type { AgentDraft } from "./agentDraft.ts";
import type { Field, ProblemKind } from "./validation.ts";
import type { LoadedData } from "./validation.ts";

const modelDraft = v.object({
  own: v.boolean(),
  provider: v.string(),
  modelName: v.string(),
  baseUrl: v.string(),
});

const agentDraft: v.GenericSchema<AgentDraft> = v.object({
  project: v.string(),
  name: v.string(),
  model: modelDraft,
  tables: v.array(v.string()),
  knowledgeBases: v.array(v.string()),
  instruction: v.string(),
  params: v.optional(v.record(v.string(), v.unknown())),
});

/** The shape of a form. */
export const agentForm = v.object({
  /** New for every form: what a page has saved belongs to this one. */
  id: v.string(),
  connectionId: v.string(),
  /** The agent as it is, when it is edited; without it a new one is made. */
  before: v.optional(agentDraft),
  /** The agent whose model goes along, with its key where none is typed: the one that is edited or duplicated. */
  modelOf: v.optional(v.object({ project: v.string(), name: v.string(), hasKey: v.boolean() })),
  draft: agentDraft,
  /** The draft before anything was written. */
  initial: v.optional(agentDraft),
  /** A key had been typed for this draft; it is not kept. */
  hadKey: v.optional(v.boolean()),
});

/** A form as it begins, and as its page keeps it. */
export type AgentForm = v.InferOutput<typeof agentForm>;

/** `note` is what to know of an agent that was made. */
const madeAgent = v.object({ name: v.string(), project: v.string(), note: v.string() });
export type CreatedAgent = v.InferOutput<typeof madeAgent>;

/** What the page keeps: it survives hiding and a reload of the window. Never a key. */
export const pageState = v.object({
  form: agentForm,
  /** The agent that the form has made. */
  made: v.nullish(madeAgent),
  /** A key had been typed; it is gone. */
  hadKey: v.boolean(),
  /** Pixels from the top. */
  scroll: v.number(),
});
export type PageState = v.InferOutput<typeof pageState>;

/** A list whose entries are picked. */
export type ListField = "tables" | "knowledgeBases";

/** A notice below the field that it is about. */
export interface FormNotice extends Notice {
  field: Field;
}

export type ToPage =
  | { type: "begin"; form: AgentForm; connection: string; texts: FormTexts; locale: string }
  | { type: "seen"; seen: LoadedData }
  /** The server could not be asked; absent once it could. */
  | { type: "unseen"; notice?: FormNotice }
  | { type: "picked"; field: ListField; entries: string[] }
  | { type: "described"; instruction: string }
  /** A request is under way, for that many ms. */
  | { type: "sending"; elapsed: number }
  /** The request has ended without making or changing an agent. */
  | { type: "refused"; notice: FormNotice }
  | { type: "created"; agent: CreatedAgent }
  /** Unsaved changes of a form that was closed can be restored; without a text no longer. */
  | { type: "draftOffered"; text?: string }
  /** Said in passing, like "Copied". */
  | { type: "said"; text: string };

const listField = v.picklist(["tables", "knowledgeBases"]);
const copyAs = v.picklist(["sql", "json", "curl"]);

/** The shape of everything a page may send. */
export const toHost = v.variant("type", [
  /** The lists or the project have changed: what does the server have of them? */
  v.object({ type: v.literal("look"), draft: agentDraft }),
  /** What is written has changed; `hasKey`: a key is, or was, typed with it. */
  v.object({ type: v.literal("changed"), draft: agentDraft, hasKey: v.boolean() }),
  v.object({ type: v.literal("restoreDraft") }),
  v.object({ type: v.literal("discardDraft") }),
  v.object({ type: v.literal("pick"), field: listField, chosen: v.array(v.string()) }),
  /** Draft an instruction from the chosen data. */
  v.object({ type: v.literal("describe"), draft: agentDraft }),
  /** The only message with a key in it. */
  v.object({ type: v.literal("send"), draft: agentDraft, apiKey: v.string() }),
  v.object({ type: v.literal("cancel") }),
  /** `typedKey`: a key has been typed, for which a placeholder stands. */
  v.object({ type: v.literal("copy"), as: copyAs, draft: agentDraft, typedKey: v.boolean() }),
  noticeButtonPressed,
  v.object({ type: v.literal("ask") }),
  /** Opens the page of the agent that was made. */
  v.object({ type: v.literal("show") }),
  v.object({ type: v.literal("edit") }),
  v.object({ type: v.literal("another") }),
]);
export type ToHost = v.InferOutput<typeof toHost>;

interface FieldTexts {
  label: string;
  description: string;
}

/** The page's words, translated by the host. `{0}` and `{1}` are filled in by the page. */
export interface FormTexts {
  title: string;
  /** What an agent is, in a sentence. */
  intro: string;
  /** `{0}` is the connection, `{1}` the project. */
  place: string;
  fields: Record<Exclude<Field, "form">, FieldTexts>;
  /** `{0}` is its name. */
  defaultModel: string;
  defaultModelUnknown: string;
  noDefaultModel: string;
  ownModel: string;
  providerNotes: Record<string, string>;
  otherProvider: string;
  providerName: string;
  restoreDraft: string;
  discardDraft: string;
  keyKept: string;
  keyGone: string;
  showKey: string;
  hideKey: string;
  chooseTables: string;
  chooseKnowledgeBases: string;
  noTables: string;
  noKnowledgeBases: string;
  /** `{0}` is the entry. */
  remove: string;
  /** How many a pattern stands for; `{0}` is the count. */
  oneTable: string;
  severalTables: string;
  oneKnowledgeBase: string;
  severalKnowledgeBases: string;
  notCounted: string;
  describe: string;
  describing: string;
  replaced: string;
  undo: string;
  send: string;
  cancel: string;
  /** `{0}` is how many seconds it has taken. */
  sending: string;
  copySql: string;
  copyJson: string;
  copyCurl: string;
  /** How many problems keep the form from being sent. */
  oneProblem: string;
  severalProblems: string;
  warning: string;
  problem: string;
  /** `{0}` is the agent, `{1}` the project. */
  created: string;
  ask: string;
  show: string;
  edit: string;
  another: string;
  problems: Record<ProblemKind, string>;
}
