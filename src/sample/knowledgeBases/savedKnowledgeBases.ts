// The part of the saved changes that is about knowledge bases: those that differ from the seed, with their documents.
import * as v from "valibot";
import { Index } from "./retrieval.ts";
import type { Document } from "./retrieval.ts";
import type { KnowledgeBase, Project } from "../server/state.ts";

const id = v.pipe(v.number(), v.integer(), v.minValue(1));

export const storedKnowledgeBase = v.object({
  project: v.string(),
  row: v.looseObject({
    id,
    name: v.pipe(v.string(), v.nonEmpty()),
    vector_database: v.string(),
  }),
  documents: v.array(
    v.object({ id: v.string(), content: v.string(), metadata: v.record(v.string(), v.unknown()) }),
  ),
});
type Stored = v.InferOutput<typeof storedKnowledgeBase>;

export interface KnowledgeBaseChanges {
  knowledgeBases: Stored[];
  deletedKnowledgeBases: number[];
}

/** Changes the projects' knowledge bases. Those in projects that no longer exist are left out. */
export function applyKnowledgeBases(
  projects: readonly Project[],
  { knowledgeBases, deletedKnowledgeBases }: KnowledgeBaseChanges,
): void {
  for (const project of projects) {
    const changed = knowledgeBases.filter((stored) => stored.project === project.name);
    const ids = new Set([...deletedKnowledgeBases, ...changed.map(({ row }) => row.id)]);
    const names = new Set(changed.map(({ row }) => row.name));
    project.knowledgeBases = [
      ...project.knowledgeBases.filter(({ row }) => !ids.has(row.id) && !names.has(row.name)),
      ...changed.map(({ row, documents }): KnowledgeBase => {
        return { row, index: new Index(documents as Document[]) };
      }),
    ].sort((a, b) => a.row.id - b.row.id);
  }
}

export function computeKnowledgeBaseChanges(
  seed: readonly Project[],
  projects: readonly Project[],
): KnowledgeBaseChanges {
  const before = seed.flatMap(({ knowledgeBases }) => knowledgeBases);
  const present = projects.flatMap(({ name, knowledgeBases }) =>
    knowledgeBases.map((knowledgeBase) => ({ project: name, knowledgeBase })),
  );
  const ids = new Set(present.map(({ knowledgeBase }) => knowledgeBase.row.id));
  return {
    knowledgeBases: present
      .filter(({ knowledgeBase }) => !before.includes(knowledgeBase))
      .map(({ project, knowledgeBase: { row, index } }) => {
        return { project, row, documents: index.documents };
      }),
    deletedKnowledgeBases: before.map(({ row }) => row.id).filter((one) => !ids.has(one)),
  };
}
