// Opens and writes local files without being led elsewhere by symbolic links, also by one that is swapped meanwhile.
import { constants, createReadStream, type BigIntStats } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import path from "node:path";
import { followLinks, isWithin } from "./localPaths.ts";
import { replaceFile, temporaryFile } from "./replaceFile.ts";

/** `link`: a link leads out of the folder. `special`: a folder, pipe or device, which may never end. */
export type LocalFileProblem = "link" | "special";

/** A file that is not opened or written. The message is for logs. */
export class LocalFileError extends Error {
  readonly problem: LocalFileProblem;
  /** Where a link leads; undefined for another machine. */
  readonly target: string | undefined;

  constructor(problem: LocalFileProblem, file: string, target?: string) {
    super(problem === "link" ? `${file} is a link to another folder` : `${file} is not a file`);
    this.problem = problem;
    this.target = target;
  }
}

/** `folder` with all symbolic links resolved. Throws LocalFileError if one leads to another machine. */
async function resolveFolder(folder: string): Promise<string> {
  const absolute = path.resolve(folder);
  const real = await followLinks(path.parse(absolute).root, absolute);
  if (real === undefined) throw new LocalFileError("link", folder);
  return real;
}

/**
 * Opens a regular file for reading. Links are followed only within `folder`, which the user picked. What is opened is
 * checked, not what had the name before. Throws LocalFileError, and errors of the file system.
 */
export async function openLocalFile(file: string, folder: string): Promise<FileHandle> {
  const real = await resolveWithin(file, folder);
  // A pipe is opened without waiting for its writer. Windows has neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
  // A device may act when it is opened.
  if (!(await fs.lstat(real)).isFile()) throw new LocalFileError("special", file);
  const handle = await fs.open(real, (O_RDONLY ?? 0) | O_NONBLOCK | O_NOFOLLOW);
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) throw new LocalFileError("special", file);
    if (!(await isOpenedWithin(handle, opened, real, folder))) {
      throw new LocalFileError("link", file);
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Yields the bytes of a file, a megabyte at a time; see `openLocalFile`. */
export async function* readLocalFile(
  file: string,
  folder: string,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const handle = await openLocalFile(file, folder);
  // The stream closes the handle.
  const options = { fd: handle, highWaterMark: 1024 * 1024, signal };
  yield* createReadStream("", options) as AsyncIterable<Buffer>;
}

/** Returns the bytes of a file; undefined if it has more than `maxBytes`. See `openLocalFile`. */
export async function readSmallLocalFile(
  file: string,
  folder: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of readLocalFile(file, folder)) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Writes a file, replacing an old one. A link with its name is replaced, never followed. Links in the path are followed
 * only within `folder`. Throws LocalFileError, and errors of the file system.
 */
export async function writeLocalFile(
  file: string,
  folder: string,
  content: string | Uint8Array,
): Promise<void> {
  const parent = path.dirname(path.resolve(file));
  const realParent = await resolveWithin(parent, folder);
  await replaceFile(path.join(realParent, path.basename(file)), async (part) => {
    await fs.writeFile(part, content, temporaryFile);
    if ((await resolveWithin(parent, folder)) !== realParent) {
      throw new LocalFileError("link", file);
    }
  });
}

/** The path with links resolved. Throws LocalFileError if it is outside of the folder. */
async function resolveWithin(file: string, folder: string): Promise<string> {
  const realFolder = await resolveFolder(folder);
  const absolute = path.resolve(file);
  const named = path.resolve(folder);
  const real = isWithin(named, absolute)
    ? await followLinks(realFolder, path.join(realFolder, path.relative(named, absolute)))
    : undefined;
  if (real === undefined || !isWithin(realFolder, real)) {
    throw new LocalFileError("link", file, real);
  }
  return real;
}

/** Whether an open file is in the folder, also if links were swapped meanwhile. */
async function isOpenedWithin(
  { fd }: FileHandle,
  opened: BigIntStats,
  real: string,
  folder: string,
): Promise<boolean> {
  // Linux knows where an open file is. Elsewhere a path is compared, several times: a link can be swapped in between.
  const place = await fs.readlink(`/proc/self/fd/${String(fd)}`).catch(() => undefined);
  if (place !== undefined) return isWithin(await resolveFolder(folder), place);
  for (let times = 0; times < 3; times++) {
    if ((await resolveWithin(real, await resolveFolder(folder))) !== real) return false;
    const { dev, ino } = await fs.lstat(real, { bigint: true });
    if (dev !== opened.dev || ino !== opened.ino) return false;
  }
  return true;
}
