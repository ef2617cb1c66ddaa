// What a request teaches about a server beside its own answer, so that whatever shows the same things can follow.
import type { Agent } from "../listItems.ts";
import type { KnowledgeBase } from "../listItems.ts";
import type { Model, ModelVersion } from "../listItems.ts";
import type { Project } from "../listItems.ts";

/** The lists that a server's things stand in; each of a project, except for the projects themselves. */
export type ListKind = "projects" | "agents" | "knowledgeBases" | "models";

/** What a list may have become another one by. */
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
  | { kind: "listed"; list: "agents"; project: string; items: readonly Agent[] }
  | { kind: "listed"; list: "knowledgeBases"; project: string; items: readonly KnowledgeBase[] }
  | { kind: "listed"; list: "models"; project: string; items: readonly Model[] };

export type ServerObservation =
  /** A request has succeeded: the server is there and takes us for who we are. */
  | { kind: "answered" }
  /** A request has created, changed or deleted something. */
  | Changed
  /** The server says that it has no such thing; it may mean a part of it. */
  | { kind: "missing"; list: ListKind; project: string; name?: string }
  /** A whole list, as it is now. */
  | Listed
  /** One version of a model, as it is now. */
  | { kind: "version"; project: string; name: string; version: ModelVersion };

export type Observe = (observation: ServerObservation) => void;

/** Whether an observation is about this thing. SQL writes names in any case. */
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

export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
