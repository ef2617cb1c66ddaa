/** Characters that JSON never escapes, and whose lower case has no other upper case. */
const unescapedRun = /(?:[ !#-+.0-9;-@a-z^_`|~-]|\p{Lo})+/gu;

/** Texts that may be part of a number; null stands for numbers that JSON cannot write. */
const mayBeInNumber = /^(?:[\d.e+-]+|n|u|l|nu|ul|ll|nul|ull|null)$/;

/**
 * Bytes in lower case (as Latin-1) that may stand for characters of the search text: escaped ASCII characters, and the two
 * other characters whose lower case is ASCII, escaped or not.
 */
const escapedForm = /\\u00[0-7]|\\u212a|\\u0130|\u00e2\u0084\u00aa|\u00e4\u00b0/g;
/** The same for texts with characters beyond ASCII. */
const anyEscapedForm = /\\u|\u00e2\u0084\u00aa|\u00e4\u00b0/g;

/** Numbers that JavaScript formats differently: with an exponent, very long or very small. */
const mayReformat = /\d(?:e|[\d.]{15})|0\.000000/;
const numbers = /-?\d[\d.]*(?:e[+-]?\d+)?/g;

/** Excludes most rows of a search by their bytes, without parsing them. Fast only if rows are checked in order. */
export class SearchPrefilter {
  /** The longest part of the search text without escapes, as lower-case Latin-1; undefined if there is none. */
  readonly #run: string | undefined;
  readonly #escapedForm: RegExp;
  readonly #isOfNumbers: boolean;
  #block = "";
  /** The start of the last check and the next positions behind it; -1 if unknown. */
  #from = 0;
  #nextRun = -1;
  #nextEscapedForm = -1;

  /** `wanted` must be lower-case. */
  constructor(wanted: string) {
    const runs = wanted.match(unescapedRun) ?? [];
    const texts = runs.filter((run) => !mayBeInNumber.test(run));
    const [run] = (texts.length > 0 ? texts : runs).sort((a, b) => b.length - a.length);
    this.#run = run === undefined ? undefined : toLowerLatin1(Buffer.from(run));
    this.#escapedForm = run === this.#run ? escapedForm : anyEscapedForm;
    this.#isOfNumbers = texts.length === 0;
  }

  /** Whether computed numbers may contain the text although the bytes do not. */
  get mayBeComputed(): boolean {
    return this.#run === undefined || this.#isOfNumbers;
  }

  setBlock(bytes: Buffer): void {
    if (this.#run === undefined) return;
    this.#block = toLowerLatin1(bytes);
    this.#from = Infinity;
  }

  /** False if no value in these bytes of the block contains the search text. */
  mayContain(start: number, end: number): boolean {
    if (this.#run === undefined) return true;
    if (start < this.#from) this.#nextRun = this.#nextEscapedForm = -1;
    this.#from = start;
    if (this.#nextRun < start) this.#nextRun = indexOrEnd(this.#block.indexOf(this.#run, start));
    if (this.#nextRun < end) return true;
    if (this.#nextEscapedForm < start) {
      this.#escapedForm.lastIndex = start;
      this.#nextEscapedForm = this.#escapedForm.exec(this.#block)?.index ?? Infinity;
    }
    if (this.#nextEscapedForm < end) return true;
    return this.#isOfNumbers && this.#hasReformattedNumber(this.#block.slice(start, end));
  }

  #hasReformattedNumber(bytes: string): boolean {
    if (this.#run === undefined || "null".includes(this.#run)) return true;
    if (!mayReformat.test(bytes)) return false;
    return (bytes.match(numbers) ?? []).some((number) => String(Number(number)) !== number);
  }
}

/** The bytes as lower-case Latin-1. */
function toLowerLatin1(bytes: Buffer): string {
  return bytes.toString("latin1").toLowerCase();
}

function indexOrEnd(index: number): number {
  return index < 0 ? Infinity : index;
}
