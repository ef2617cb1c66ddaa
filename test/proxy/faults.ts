// What can go wrong between a client and a server, as data: one record for each fault.
import fs from "node:fs";
import path from "node:path";

/** A whole answer given instead of the server's. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: string | Buffer;
}

/** A recorded answer: its bytes, and after how many milliseconds how many of them came. */
export interface Recording extends Answer {
  body: Buffer;
  chunks: [ms: number, bytes: number][];
}

/** What happens to requests. Of several faults the first one that fits a request is used. */
export interface Fault {
  /** Which requests, tested against `METHOD /path?query`; all unless given. */
  on?: RegExp;
  /** Only requests with a body of more bytes. */
  largerThan?: number;
  /** How many more requests; without end unless given. */
  times?: number;
  /** Milliseconds to wait before anything happens. */
  delay?: number;
  /** What to wait for before anything happens. */
  until?: Promise<unknown>;
  /** An answer instead of the server's, which never sees the request. */
  answer?: Answer;
  /** The same with a recorded answer, in its own rhythm unless `split` is given. */
  replay?: Recording;
  /** 401 to every request that needs a token, until somebody signs in again. */
  unauthorized?: true;
  /** The connection is reset before an answer. */
  reset?: true;
  /** No answer at all, on a connection that stays open. */
  silent?: true;
  /** The body in pieces of these sizes (the last one repeated), each written in a turn of its own. */
  split?: number[];
  /** The connection breaks off after that many bytes of the body. */
  cutAfter?: number;
  /** The answer ends, as if it were whole, after that many bytes of the body. */
  endAfter?: number;
  /** After that many bytes of the body nothing more comes, on a connection that stays open. */
  hangAfter?: number;
}

/** How nginx answers a body over its limit. */
export const nginxTooLarge: Answer = {
  status: 413,
  headers: { "content-type": "text/html", server: "nginx" },
  body: "<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>\r\n<center><h1>413 Request Entity Too Large</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n",
};

/** A web page where JSON was expected. */
export const webPage: Answer = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: "<!doctype html>\n<html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>\n",
};

const traceback = [
  "[engine/model]: RuntimeError: out of memory",
  "Traceback (most recent call last):\n",
  '  File "/opt/server/lib/python3.11/site-packages/mindsdb/process_cache.py", line 169, in warm_function',
  "    return func(*args, **kwargs)",
  "           ^^^^^^^^^^^^^^^^^^^^^\n",
  "RuntimeError: out of memory",
].join("\n");

/** The failure of an engine: 500 with a Python traceback. */
export const engineFailure: Answer = {
  status: 500,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ title: "MLEngineException", detail: traceback, message: traceback }),
};

/** What a company's proxy says to somebody it does not know. */
export const proxyLogin: Answer = {
  status: 407,
  headers: {
    "proxy-authenticate": 'Basic realm="proxy"',
    "content-type": "text/html; charset=utf-8",
  },
  body: "<html><body><h1>Proxy Authentication Required</h1></body></html>\n",
};

/** What a server says to a token it does not know. */
export const unauthorized: Answer = {
  status: 401,
  headers: { "content-type": "application/problem+json" },
  body: '{"title": "Unauthorized", "detail": "Authorization is required to complete the request", "timestamp": "2026-11-20 15:23:52.118161"}',
};

const streams = path.join(import.meta.dirname, "..", "fixtures", "streams");

interface IndexEntry {
  file: string;
  status: number;
  contentType: string;
  chunks?: [ms: number, bytes: number][];
}

/** Reads what a real server of that version answered: `readRecording("26.1.0", "text_kb_query.sse")`. */
export function readRecording(version: "25.14.1" | "26.1.0", file: string): Recording {
  const folder = path.join(streams, version);
  const index = JSON.parse(
    fs.readFileSync(path.join(folder, "index.json"), "utf8"),
  ) as IndexEntry[];
  const entry = index.find((candidate) => candidate.file === file);
  if (!entry) throw new Error(`no recording ${file} of ${version}`);
  return {
    status: entry.status,
    headers: { "content-type": entry.contentType },
    body: fs.readFileSync(path.join(folder, file)),
    chunks: entry.chunks ?? [],
  };
}
