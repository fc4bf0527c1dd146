import bidiFactory, { type Bidi } from 'bidi-js';

/** Characters of one font and one direction, in the order in which they are read. */
export interface Run {
  readonly text: string;
  readonly font: string | undefined;
  /** Whether the font joins and reverses the characters. */
  readonly isShaped: boolean;
  /** Whether the font changes the order of the characters, so that readers of the document need the text, too. */
  readonly isReordered: boolean;
}

/** A character as the document shows it, and its font where it is not the current one. */
export interface Shown {
  readonly text: string;
  readonly font: string | undefined;
}

/** Letters that are written from right to left, and the marks that embed such text. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Scripts whose vowels are written before or around the letters that they follow. */
const reordered =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Tibetan}]/u;
const joiner = /^[\u200c\u200d]$/;

// The types of the package describe another kind of module than Node loads.
const bidi = (bidiFactory as unknown as () => Bidi)();

interface Character extends Shown {
  readonly level: number;
}

/** The runs of a line from left to right, by the Unicode Bidirectional Algorithm. */
export function runsOf(line: string, shownAs: (character: string) => Shown): Run[] {
  const levels = rightToLeft.test(line) ? bidi.getEmbeddingLevels(line) : undefined;
  const mirrored = levels && bidi.getMirroredCharactersMap(line, levels.levels);
  const characters: Character[] = [];
  let at = 0;
  for (const each of line) {
    const last = characters.at(-1);
    // A joiner between letters of such a script chooses their shape.
    const joins = joiner.test(each) && last && reordered.test(last.text);
    const shown = joins ? { ...last, text: each } : shownAs(mirrored?.get(at) ?? each);
    if (shown.text) characters.push({ ...shown, level: levels?.levels[at] ?? 0 });
    at += each.length;
  }
  const runs = groupsOf(characters);
  if (levels) reorder(runs);
  return runs.map((run) => {
    const [{ font, level }] = run as [Character];
    // The font reverses letters from right to left, and also their digits, which are written from left to right.
    const isShaped = run.some(({ text }) => rightToLeft.test(text));
    const isReversed = level % 2 === 1;
    const ordered = isReversed === isShaped ? run : run.toReversed();
    const text = ordered.map(({ text }) => text).join('');
    return { text, font, isShaped, isReordered: reordered.test(text) };
  });
}

/** Neighbours of one font and level. */
function groupsOf(characters: readonly Character[]): Character[][] {
  const groups: Character[][] = [];
  for (const character of characters) {
    const group = groups.at(-1);
    const isSame = group?.[0]?.font === character.font && group?.[0]?.level === character.level;
    if (group && isSame) group.push(character);
    else groups.push([character]);
  }
  return groups;
}

/** Rule L2 on whole runs: from the highest level to the lowest odd one, neighbours are reversed. */
function reorder(runs: Character[][]) {
  const levelOf = (run: Character[] | undefined) => run?.[0]?.level ?? 0;
  for (let level = Math.max(0, ...runs.map(levelOf)); level > 0; level -= 1) {
    for (let from = 0; from < runs.length; from += 1) {
      let to = from;
      while (to < runs.length && levelOf(runs[to]) >= level) to += 1;
      if (to - from > 1) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
}
