// Limits for all test files of a workspace together. Each file has its own limits, but a folder can have hundreds.

/** The sizes of a file that has been read. */
interface HeldFile {
  /** Characters of its text. */
  textLength: number;
  /** Characters of the text, and of what its templates became. */
  length: number;
  tests: number;
}

const maxTextLength = 10_000_000;
const maxLength = 50_000_000;
const maxTests = 20_000;
/** ms of reading until others wait no longer. Small files are hardly what takes the time, so they get more of it. */
const maxMs = 5_000;
const maxMsOfSmall = 20_000;
const smallLength = 20_000;

/** Limits for files that are read one after the other. */
export class DiscoveryLimits {
  #textLength = 0;
  #ms = 0;

  /** Whether one more file can be read, with its text's length and the other files that are read already. */
  hasRoom(textLength: number, held: Iterable<HeldFile>): boolean {
    let [text, all, tests] = [textLength, textLength, 0];
    for (const file of held) {
      text += file.textLength;
      all += file.length;
      tests += file.tests;
    }
    if (text > maxTextLength || all > maxLength || tests >= maxTests) return false;
    const limit = textLength <= smallLength ? maxMsOfSmall : maxMs;
    return this.#ms < limit && this.#textLength + textLength <= maxTextLength;
  }

  /** Counts what reading a text took. */
  count(textLength: number, ms: number): void {
    this.#textLength += textLength;
    this.#ms += ms;
  }
}
