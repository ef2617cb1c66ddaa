import { JsonScanner } from "./jsonScanner.ts";
import { countCharacters } from "./row.ts";

/** JSON that comes in chunks, with a scanner over what has not been read yet. */
export class ScannedChunks {
  readonly scanner = new JsonScanner();
  /** The position in the scanner's buffer up to which has been read. */
  position = 0;
  /** Chunks that are not in the scanner's buffer yet. */
  #chunks: Uint8Array[] = [];
  #waiting = 0;
  /** Bytes to wait for before the next scan, so that a row in many chunks is not scanned again with each of them. */
  #wanted: number;

  /** The first scan waits for as many bytes as are `wanted`. */
  constructor(wanted = 0) {
    this.#wanted = wanted;
  }

  /** Bytes of the scanner's buffer that have not been read. */
  get left(): number {
    return this.scanner.end - this.position;
  }

  /** Adds a chunk; true if it is time for the next scan. */
  add(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk);
    this.#waiting += chunk.byteLength;
    return this.#waiting >= this.#wanted;
  }

  /** Joins the unread rest and the new chunks into one buffer, with the 0 at the end that the scanner needs. */
  join(): void {
    const { bytes, end, lineStart } = this.scanner;
    const rest = bytes.subarray(this.position, end);
    const joined = Buffer.allocUnsafe(rest.length + this.#waiting + 1);
    let length = rest.copy(joined);
    for (const chunk of this.#chunks) {
      joined.set(chunk, length);
      length += chunk.byteLength;
    }
    joined[length] = 0;
    const isHere = lineStart >= this.position;
    this.scanner.lineStart = isHere
      ? lineStart - this.position
      : -countCharacters(bytes, lineStart, this.position);
    this.scanner.setBytes(joined, length);
    this.position = 0;
    this.#chunks = [];
    this.#waiting = 0;
  }

  /** Ends a scan: the next one waits for as many bytes as this one has left. */
  endScan(): void {
    this.#wanted = this.left;
  }
}
