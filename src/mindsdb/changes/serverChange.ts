// Facts about a server learned from requests. They keep the tree and open pages up to date.
import type {
  Agent,
  KnowledgeBase,
  Model,
  ModelVersion,
  Project,
  RunningQuery,
} from "../listItems.ts";
import { isSameName } from "../nameOrder.ts";

/** The lists of a server. All but projects, ML engines and queries belong to a project, and tables to a data source. */
export type ListKind =
  | "projects"
  | "agents"
  | "knowledgeBases"
  | "models"
  | "views"
  | "jobs"
  | "triggers"
  | "tables"
  | "mlEngines"
  | "queries";

/** A change of a list or of one item in it. */
export interface Changed {
  kind: "changed";
  list: ListKind;
  /** Absent: any project. */
  project?: string;
  /** Absent: any of the list. */
  name?: string;
}

export type Listed =
  | { kind: "listed"; list: "projects"; items: readonly Project[] }
  | { kind: "listed"; list: "queries"; items: readonly RunningQuery[] }
  | { kind: "listed"; list: "agents"; project: string; items: readonly Agent[] }
  | { kind: "listed"; list: "knowledgeBases"; project: string; items: readonly KnowledgeBase[] }
  | { kind: "listed"; list: "models"; project: string; items: readonly Model[] };

export type ServerObservation =
  /** A request has succeeded, so the server is reachable and accepts the credential. */
  | { kind: "answered" }
  /** A request has failed, but a server has answered it. */
  | { kind: "reached" }
  /** Nothing answers at the server's address: it may be another one, or another version, when it is back. */
  | { kind: "unreachable" }
  /** A request has created, changed or deleted something. */
  | Changed
  /** The server reported that an item, or a part of it, does not exist. */
  | { kind: "missing"; list: ListKind; project: string; name?: string }
  /** A whole list, as it is now. */
  | Listed
  /** One version of a model, as it is now. */
  | { kind: "version"; project: string; name: string; version: ModelVersion };

export type Observe = (observation: ServerObservation) => void;

/** Whether an observation is about this item. Ignores case, because SQL does. */
export function isAbout(
  observation: { list: ListKind; project?: string; name?: string },
  thing: { list: ListKind; project: string; name: string },
): boolean {
  const { list, project, name } = observation;
  if (list === "projects") return name === undefined || isSameName(name, thing.project);
  if (list !== thing.list) return false;
  return (
    (project === undefined || isSameName(project, thing.project)) &&
    (name === undefined || isSameName(name, thing.name))
  );
}
