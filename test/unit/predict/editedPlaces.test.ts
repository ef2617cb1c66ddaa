// Where a text was edited, as far as it is remembered.
import assert from "node:assert/strict";
import { placesAfterEdit, placesAfterRun } from "../../../src/predict/sqlFile/editedPlaces.ts";

/** A text that is edited, and the places that are remembered of it. */
class Edited {
  text = "";
  places: readonly number[] = [];

  /** Replaces `length` characters at `at`. */
  edit(at: number, length: number, text: string): void {
    this.places = placesAfterEdit(this.places, { rangeOffset: at, rangeLength: length, text });
    this.text = this.text.slice(0, at) + text + this.text.slice(at + length);
  }

  type(text: string, at = this.text.length): void {
    for (const [index, key] of [...text].entries()) this.edit(at + index, 0, key);
  }

  /** The statements that have a place. */
  get statements(): string[] {
    let start = 0;
    return this.text.split(/(?<=;)/).flatMap((statement) => {
      const end = (start += statement.length);
      const isLast = end === this.text.length;
      const isIn = (at: number): boolean => at < end || (at === end && isLast);
      const isPlace = this.places.some((at) => at >= end - statement.length && isIn(at));
      return isPlace ? [statement.trim()] : [];
    });
  }
}

describe("places where a text was edited", () => {
  it("are in each statement that was typed, however long", () => {
    const edited = new Edited();
    const statements = [1, 2, 3].map((n) => `SELECT column_${n} FROM shop.orders WHERE id = ${n};`);
    edited.type(statements.join("\n"));
    assert.deepEqual(edited.statements, statements);
    assert.ok(edited.places.length <= 8, String(edited.places));
  });

  it("are in each statement that was pasted", () => {
    const edited = new Edited();
    edited.edit(0, 0, "SELECT 1;\nSELECT 2;\nSELECT 3");
    assert.deepEqual(edited.statements, ["SELECT 1;", "SELECT 2;", "SELECT 3"]);
  });

  it("move with what is written and deleted before them", () => {
    const edited = new Edited();
    edited.edit(0, 0, "SELECT 1;SELECT 2;");
    edited.places = placesAfterRun([], 9);
    edited.edit(0, 0, "-- a note\n");
    assert.deepEqual(edited.statements, ["-- a note\nSELECT 1;", "SELECT 2;"]);
    edited.edit(0, 10, "");
    assert.deepEqual(edited.statements, ["SELECT 1;", "SELECT 2;"]);
    assert.deepEqual(edited.places, [9, 0]);
  });

  it("are forgotten with the text that they are in, and are limited in number", () => {
    const edited = new Edited();
    edited.edit(0, 0, "SELECT 1;SELECT 2;SELECT 3;");
    edited.edit(0, 27, "x");
    assert.deepEqual(edited.places, [0, 1]);
    edited.edit(0, 1, "a;".repeat(1_000));
    assert.equal(edited.places.length, 20);
    assert.equal(placesAfterRun(edited.places, 2_000).at(-1), 2_000);
  });
});
