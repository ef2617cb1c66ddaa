// The name that Copy Name copies.
import { nameInSql } from "../mindsdb/sql/nameInSql.ts";
import type { NamedNode, TableNode } from "./node.ts";

/**
 * The name of a node as the API accepts it; names of data are written as SQL. Line breaks and the like, which no API finds
 * and which a terminal would obey when the name is pasted, are written as codes.
 */
export function copiedName(node: NamedNode): string {
  return nameOf(node).replace(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`,
  );
}

function nameOf(node: NamedNode): string {
  switch (node.kind) {
    case "connection":
      return node.connection.name;
    case "project":
      return node.project;
    case "modelVersion":
      return `${node.name}.${node.item.version}`;
    case "knowledgeBase":
    case "agent":
    case "model":
    case "job":
    case "trigger":
    case "mlEngine":
      return node.name;
    case "dataSource":
    case "column":
      return nameInSql([node.name]);
    case "schema":
      return nameInSql([node.parent.name, node.name]);
    case "table":
      return nameInSql(getTablePath(node));
    case "view":
      return nameInSql([node.project, node.item.name]);
  }
}

/** A table's data source, schema if any, and name. */
function getTablePath({ project, item: { schema, name } }: TableNode): string[] {
  return schema === undefined ? [project, name] : [project, schema, name];
}
