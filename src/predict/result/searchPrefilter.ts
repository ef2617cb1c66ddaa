// Says quickly of most rows that a text cannot be in them: looks at their bytes, many rows in one go, and parses nothing.

/** What JSON writes as it is wherever it stands, and what has no small letters that something else could have as well. */
const plainRun = /(?:[ !#-+.0-9;-@a-z^_`|~-]|\p{Lo})+/gu;

/** What numbers are written with; "null" stands for some that JSON cannot write. */
const isOfNumbers = /^(?:[\d.e+-]+|n|u|l|nu|ul|ll|nul|ull|null)$/;

/**
 * A piece of a row's bytes, in small letters, that a plain run can come from though it is not in them: an escaped
 * character of ASCII, and the two others whose small letters are ASCII, escaped or not (as Latin-1 shows them).
 */
const disguise = /\\u00[0-7]|\\u212a|\\u0130|\u00e2\u0084\u00aa|\u00e4\u00b0/g;
/** The same for runs with characters beyond ASCII. */
const anyDisguise = /\\u|\u00e2\u0084\u00aa|\u00e4\u00b0/g;

/** A number that is written in another way once it has been read: with an exponent, very long or very small. */
const maybeOddNumber = /\d(?:e|[\d.]{15})|0\.000000/;
const numbers = /-?\d[\d.]*(?:e[+-]?\d+)?/g;

/** Takes blocks of bytes one after the other; it is quick for those who ask from a block's front to its back. */
export class SearchPrefilter {
  /** The longest run, its bytes in small letters as Latin-1 shows them. */
  readonly #run: string | undefined;
  readonly #disguise: RegExp;
  readonly #isOfNumbers: boolean;
  #block = "";
  /** Where it was asked last, and what comes next from there on; -1 if nobody has looked. */
  #from = 0;
  #nextRun = -1;
  #nextDisguise = -1;

  /** `wanted` in small letters. */
  constructor(wanted: string) {
    const runs = wanted.match(plainRun) ?? [];
    const texts = runs.filter((run) => !isOfNumbers.test(run));
    const [run] = (texts.length > 0 ? texts : runs).sort((a, b) => b.length - a.length);
    this.#run = run === undefined ? undefined : toLowerLatin1(Buffer.from(run));
    this.#disguise = run === this.#run ? disguise : anyDisguise;
    this.#isOfNumbers = texts.length === 0;
  }

  /** Whether a number can hold what is wanted that is not in the bytes it is worked out of. */
  get isOfNumbers(): boolean {
    return this.#run === undefined || this.#isOfNumbers;
  }

  setBlock(bytes: Buffer): void {
    if (this.#run === undefined) return;
    this.#block = toLowerLatin1(bytes);
    this.#from = Infinity;
  }

  /** False if no value whose text is made of these bytes of the block holds what is wanted. */
  mayContain(start: number, end: number): boolean {
    if (this.#run === undefined) return true;
    if (start < this.#from) this.#nextRun = this.#nextDisguise = -1;
    this.#from = start;
    if (this.#nextRun < start) this.#nextRun = indexOrEnd(this.#block.indexOf(this.#run, start));
    if (this.#nextRun < end) return true;
    if (this.#nextDisguise < start) {
      this.#disguise.lastIndex = start;
      this.#nextDisguise = this.#disguise.exec(this.#block)?.index ?? Infinity;
    }
    if (this.#nextDisguise < end) return true;
    return this.#isOfNumbers && this.#hasOddNumber(this.#block.slice(start, end));
  }

  #hasOddNumber(bytes: string): boolean {
    if (this.#run === undefined || "null".includes(this.#run)) return true;
    if (!maybeOddNumber.test(bytes)) return false;
    return (bytes.match(numbers) ?? []).some((number) => String(Number(number)) !== number);
  }
}

/** Each byte a character, in small letters. */
function toLowerLatin1(bytes: Buffer): string {
  return bytes.toString("latin1").toLowerCase();
}

function indexOrEnd(index: number): number {
  return index < 0 ? Infinity : index;
}
