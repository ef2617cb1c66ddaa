// A window that fills a knowledge base of a server without sign-in, as a process that a test can kill:
// node fillWriter.ts SERVER_URL KNOWLEDGE_BASE COUNT LOCK_FOLDER. It sends what it reports to its parent, and resumes an
// interrupted run when it is sent anything.
import {
  awaitLastBatch,
  createFillMemory,
  runFill,
  type FillProgress,
  type FillResult,
} from "../../src/knowledgeBases/fill/fillRun.ts";
import { createFillServer } from "../../src/knowledgeBases/fill/fillServer.ts";
import { WriterLock } from "../../src/knowledgeBases/writerLock.ts";
import { parseAddress } from "../../src/mindsdb/http/serverAddress.ts";
import { createTransport } from "../../src/mindsdb/http/transport.ts";
import { clientOver } from "../clientOver.ts";

export type Report = FillProgress | Omit<FillResult, "error">;

/** The documents of the file, in its order: each id with its content. */
export function listFileDocuments(count: number): [id: string, content: string][] {
  return Array.from({ length: count }, (_, at) => {
    const id = `note-${String(at)}`;
    return [id, `What ${id} says.`];
  });
}

async function main([url = "", name = "", count = "", locks = ""]: string[]): Promise<void> {
  const client = clientOver(createTransport(parseAddress(url)));
  const documents = listFileDocuments(Number(count)).map(([id, content]) => {
    return { id, row: { id, content }, length: content.length };
  });
  const send = (report: Report): void => void process.send?.(report);
  const memory = createFillMemory();
  const resume = async (): Promise<void> => {
    const turn = new WriterLock(locks).take([name]);
    if (!turn) throw new Error("another window fills the knowledge base");
    if (turn.isTakenOver) awaitLastBatch(memory);
    const { error, ...result } = await runFill({
      server: createFillServer(client, { project: "mindsdb", name }),
      documents: [documents],
      existing: "skip",
      memory,
      cancel: new AbortController().signal,
      onProgress: send,
    });
    turn.release();
    if (error !== undefined) console.log(`      interrupted: ${(error as Error).message}`);
    send(result);
  };
  process.on("message", () => void resume());
  await resume();
}

if (import.meta.filename === process.argv[1]) await main(process.argv.slice(2));
