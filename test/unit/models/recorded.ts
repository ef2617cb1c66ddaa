// Every describe that was recorded at real servers, and a server that returns one of them.
import fs from "node:fs";
import path from "node:path";

export interface RecordedDescribe {
  /** For example "26.1.0/101_describe_info". */
  name: string;
  method: string;
  path: string;
  body: string;
  status: number;
  type: string;
  answer: string;
}

const folder = path.resolve(import.meta.dirname, "../../fixtures/describe");

export const recordedDescribes: RecordedDescribe[] = fs.readdirSync(folder).flatMap((file) => {
  const version = path.parse(file).name;
  const recorded = JSON.parse(
    fs.readFileSync(path.join(folder, file), "utf8"),
  ) as RecordedDescribe[];
  return recorded.map((exchange) => ({ ...exchange, name: `${version}/${exchange.name}` }));
});

export function recordedDescribe(name: string): RecordedDescribe {
  const found = recordedDescribes.find((exchange) => exchange.name === name);
  if (!found) throw new Error(`${name} was not recorded`);
  return found;
}

/** Returns true for exchanges over SQL. */
export function isSql({ path: asked }: RecordedDescribe): boolean {
  return asked === "/api/sql/query";
}
