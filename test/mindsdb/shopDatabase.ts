// A PostgreSQL with a shop: two schemas, names that must be quoted, 2,000 more tables, and a table of a million rows.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { installMindsDB, type Version } from "../../scripts/mindsdb/install.ts";
import type { Postgres } from "../../scripts/mindsdb/postgres.ts";

const pythonScript = `
import json, psycopg, sys
host, port, user, password, database, sql = json.loads(sys.argv[1])
with psycopg.connect(host=host, port=port, user=user, password=password, dbname=database, autocommit=True) as connection:
    answer = connection.execute(sql)
    print(json.dumps(answer.fetchall() if answer.description else []))`;

/** Runs statements in a PostgreSQL itself, with the driver of a MindsDB, and returns the rows of a single one. */
export async function runInPostgres(
  version: Version,
  { parameters }: Pick<Postgres, "parameters">,
  sql: string,
): Promise<unknown[][]> {
  const { host, port, user, password, database } = parameters;
  const args = ["-c", pythonScript, JSON.stringify([host, port, user, password, database, sql])];
  const { stdout } = await promisify(execFile)(await installMindsDB(version), args);
  return JSON.parse(stdout) as unknown[][];
}

const pythonScriptForEach = `
import decimal, json, psycopg, sys
host, port, user, password, database = json.loads(sys.argv[1])
def text(value):
    return float(value) if isinstance(value, decimal.Decimal) else str(value)
def rows(sql):
    try:
        return connection.execute(sql).fetchall()
    except psycopg.Error:
        return None
with psycopg.connect(host=host, port=port, user=user, password=password, dbname=database, autocommit=True) as connection:
    print(json.dumps([rows(sql) for sql in json.load(sys.stdin)], default=text))`;

/** Runs queries in a PostgreSQL itself, and returns the rows of each, times as texts; null for one that it refuses. */
export async function runEachInPostgres(
  version: Version,
  { parameters }: Pick<Postgres, "parameters">,
  queries: readonly string[],
): Promise<(unknown[][] | null)[]> {
  const { host, port, user, password, database } = parameters;
  const args = ["-c", pythonScriptForEach, JSON.stringify([host, port, user, password, database])];
  const running = promisify(execFile)(await installMindsDB(version), args, { maxBuffer: 256e6 });
  running.child.stdin?.end(JSON.stringify(queries));
  return JSON.parse((await running).stdout) as (unknown[][] | null)[];
}

export const manyRows = 1_000_000;

/** Creates the shop. A score is some number below 1,000. */
export const shopStatements = `
  CREATE SCHEMA sales;
  CREATE TABLE customers (id int PRIMARY KEY, name text, "Home City" text);
  INSERT INTO customers
    SELECT g, 'Customer ' || g, 'City ' || g % 3 FROM generate_series(1, 6) AS g;
  CREATE TABLE sales.orders (id int PRIMARY KEY, customer_id int, "Total" int);
  INSERT INTO sales.orders SELECT g, 1 + g % 6, g * 10 FROM generate_series(1, 12) AS g;
  CREATE TABLE many_rows AS
    SELECT g AS id, 'row ' || g AS name, g % 1000 * 919 % 1000 AS score
    FROM generate_series(1, ${manyRows}) AS g;
  DO $$ BEGIN
    FOR g IN 1..2000 LOOP EXECUTE format('CREATE TABLE t_%s (a int)', g); END LOOP;
  END $$`;
