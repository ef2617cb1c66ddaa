import { listen, sendJson } from "../unit/mindsdb/httpServer.ts";

interface SqlAnswers {
  /** The result of a statement. */
  query: (sql: string) => unknown;
  /** What another path lists; nothing if it returns undefined. */
  list: (path: string) => unknown;
}

export interface SqlServer {
  url: string;
  /**
   * The statements of the user that were sent, with the project of names without one. Not those that read the columns of a
   * table in the background: they come when the machine has time for them.
   */
  sent: [sql: string, database: string | undefined][];
  /** The others. */
  columnReads: string[];
  stop(): Promise<void>;
}

/** How the extension reads the columns of a table. */
const readsColumns = /^(SELECT \* FROM `\w+`[.\w`]+ LIMIT 20|SHOW COLUMNS FROM `.+)$/;

/** Starts a server whose results and lists are up to the test. */
export async function startSqlServer({ query, list }: SqlAnswers): Promise<SqlServer> {
  const sent: SqlServer["sent"] = [];
  const columnReads: string[] = [];
  const answer = async (path: string, body: string): Promise<unknown> => {
    if (path !== "/api/sql/query") return (await list(path)) ?? [];
    const request = JSON.parse(body) as { query: string; context?: { db?: string } };
    if (readsColumns.test(request.query)) columnReads.push(request.query);
    else sent.push([request.query, request.context?.db]);
    return query(request.query);
  };
  const server = await listen(({ path, body }, response) => {
    void answer(path, body).then((value) => sendJson(response, 200, value));
  });
  return { url: server.address.origin, sent, columnReads, stop: () => server.close() };
}
