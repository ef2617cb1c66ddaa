// Where a text was edited, or has run: columns of the tables in these statements are requested, as completion does.

/** Places that are remembered. */
const maxPlaces = 20;

/** Offsets in the text before the edit, as VS Code tells them. */
interface TextEdit {
  rangeOffset: number;
  rangeLength: number;
  text: string;
}

/**
 * The places after an edit: the earlier ones in the changed text, where the edit began, where the statements end that it has
 * inserted, and where it ended. Typing on adds no place but that of a statement's end.
 */
export function placesAfterEdit(places: readonly number[], edit: TextEdit): readonly number[] {
  const { rangeOffset, rangeLength, text } = edit;
  const goesOn = rangeLength === 0 && places.at(-1) === rangeOffset;
  const next = places.flatMap((at) => {
    if (at < rangeOffset) return [at];
    return at > rangeOffset + rangeLength ? [at - rangeLength + text.length] : [];
  });
  if (!goesOn) next.push(rangeOffset);
  let left = maxPlaces;
  for (let at = text.indexOf(";"); at >= 0 && left > 0; at = text.indexOf(";", at + 1)) {
    next.push(rangeOffset + at);
    left--;
  }
  next.push(rangeOffset + text.length);
  return keepLast(next);
}

/** The places after a statement has run, which starts there. */
export function placesAfterRun(places: readonly number[], start: number): readonly number[] {
  return keepLast([...places, start]);
}

function keepLast(places: readonly number[]): readonly number[] {
  return [...new Set(places)].slice(-maxPlaces);
}
