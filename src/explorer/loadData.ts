// Loads what is below a connection's Data node: data sources, schemas, tables and columns; and views and ML engines.
import type { Client } from "../mindsdb/http/client.ts";
import { formatEntry } from "../mindsdb/dataPatterns.ts";
import { listDatabases, listTables, type TableName } from "../mindsdb/dataSources.ts";
import { listMlEngines } from "../mindsdb/mlEngines.ts";
import { compareNames } from "../mindsdb/nameOrder.ts";
import { readInSlices } from "../mindsdb/readInSlices.ts";
import { readViews } from "../mindsdb/sql/views.ts";
import { listTableColumns } from "../mindsdb/tables.ts";
import type {
  DataNode,
  DataSourceNode,
  ExplorerNode,
  GroupNode,
  MlEngineNode,
  MlEnginesNode,
  SchemaNode,
  TableNode,
  ViewNode,
} from "./node.ts";

/** The children of a node. One request, but none for a schema and two for a table outside of `files`. */
export async function loadData(
  node: DataNode | DataSourceNode | SchemaNode | TableNode,
  client: Client,
): Promise<ExplorerNode[]> {
  const { connectionId } = node;
  switch (node.kind) {
    case "data": {
      const databases = await listDatabases(client);
      return databases
        .filter(({ kind }) => kind === "data")
        .map((item) => ({ kind: "dataSource", connectionId, name: item.name, item, parent: node }));
    }
    case "dataSource":
      return schemasAndTables(node, await listTables(client, node.name));
    case "schema":
      return node.item.tables.map((item) => tableNode(node, node.parent, item));
    case "table": {
      const { schema, name } = node.item;
      const path = schema === undefined ? [node.project, name] : [node.project, schema, name];
      const columns = await listTableColumns(client, path);
      return columns.map((item) => {
        return { kind: "column", connectionId, name: item.name, item, parent: node };
      });
    }
  }
}

/** The views of a project. One request. */
export async function loadViews(parent: GroupNode, client: Client): Promise<ViewNode[]> {
  const { connectionId, project } = parent;
  const views = await readInSlices(await readViews(client, project), (view): ViewNode => {
    const item = { name: view.name, query: client.secrets.redact(view.query) };
    const name = formatEntry([item.name]);
    return { kind: "view", isView: true, connectionId, project, name, item, parent };
  });
  return views.sort((a, b) => compareNames(a.item.name, b.item.name));
}

/** The ML engines of a server, by name. One request. */
export async function loadMlEngines(
  parent: MlEnginesNode,
  client: Client,
): Promise<MlEngineNode[]> {
  const { connectionId } = parent;
  const engines = await listMlEngines(client);
  return engines
    .map((item): MlEngineNode => {
      return { kind: "mlEngine", connectionId, name: item.name, item, parent };
    })
    .sort((a, b) => compareNames(a.name, b.name));
}

function schemasAndTables(parent: DataSourceNode, tables: readonly TableName[]): ExplorerNode[] {
  const { connectionId } = parent;
  const schemas = new Map<string, TableName[]>();
  const nodes: ExplorerNode[] = [];
  for (const table of tables) {
    if (table.schema === undefined) {
      nodes.push(tableNode(parent, parent, table));
      continue;
    }
    const known = schemas.get(table.schema);
    if (known) {
      known.push(table);
      continue;
    }
    const inSchema = [table];
    schemas.set(table.schema, inSchema);
    const item = { tables: inSchema };
    nodes.push({ kind: "schema", connectionId, name: table.schema, item, parent });
  }
  return nodes;
}

function tableNode(
  parent: DataSourceNode | SchemaNode,
  source: DataSourceNode,
  item: TableName,
): TableNode {
  const { connectionId, name: project } = source;
  const name = formatEntry(item.schema === undefined ? [item.name] : [item.schema, item.name]);
  const isView = item.isView === true ? { isView: true } : {};
  return { kind: "table", ...isView, connectionId, project, name, item, parent };
}
