// The part of the saved changes that is about tables: those that were uploaded, and those of the seed that were dropped.
import * as v from "valibot";
import type { State, Table } from "../server/state.ts";
import { createTable, filesSource } from "./fileRoutes.ts";

const cell = v.nullable(v.union([v.string(), v.number(), v.boolean()]));

export const storedTable = v.object({
  name: v.pipe(v.string(), v.regex(/^[a-z_][a-z0-9_]*$/)),
  columns: v.array(v.string()),
  rows: v.array(v.array(cell)),
});

export interface TableChanges {
  tables: v.InferOutput<typeof storedTable>[];
  droppedTables: string[];
}

/** Sets the state's tables to those of the seed plus these changes. */
export function applyTables(
  state: State,
  seed: readonly Table[],
  { tables, droppedTables }: TableChanges,
): void {
  const gone = new Set([...droppedTables, ...tables.map(({ name }) => name)]);
  state.tables = [
    ...seed.filter(({ source, name }) => source !== filesSource || !gone.has(name)),
    ...tables.map(({ name, ...rows }) => createTable(name, rows)),
  ];
}

export function computeTableChanges(
  seed: readonly Table[],
  present: readonly Table[],
): TableChanges {
  const names = new Set(present.map(({ name }) => name));
  return {
    // Tables are replaced, never changed; those of the seed have words.
    tables: present
      .filter((table) => !seed.includes(table))
      .map(({ name, columns, rows }) => ({ name, columns, rows })),
    droppedTables: seed.map(({ name }) => name).filter((name) => !names.has(name)),
  };
}
