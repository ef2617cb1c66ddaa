import { listen, sendJson } from "../unit/mindsdb/httpServer.ts";

interface SqlAnswers {
  /** The result of a statement. */
  query: (sql: string) => unknown;
  /** What another path lists; nothing if it returns undefined. */
  list: (path: string) => unknown;
}

export interface SqlServer {
  url: string;
  /** The statements that were sent, with the project of names without one. */
  sent: [sql: string, database: string | undefined][];
  stop(): Promise<void>;
}

/** Starts a server whose results and lists are up to the test. */
export async function startSqlServer({ query, list }: SqlAnswers): Promise<SqlServer> {
  const sent: SqlServer["sent"] = [];
  const answer = async (path: string, body: string): Promise<unknown> => {
    if (path !== "/api/sql/query") return (await list(path)) ?? [];
    const request = JSON.parse(body) as { query: string; context?: { db?: string } };
    sent.push([request.query, request.context?.db]);
    return query(request.query);
  };
  const server = await listen(({ path, body }, response) => {
    void answer(path, body).then((value) => sendJson(response, 200, value));
  });
  return { url: server.address.origin, sent, stop: () => server.close() };
}
