import { atOnce, inSlices } from './slices.ts';

/** The largest nesting depth of lists and objects. */
export const deepest = 128;
/** Up to this length a text is parsed at once. */
const smallLength = 64 * 1024;
/** Lists of a larger body are parsed in slices of about this length. */
const pieceLength = 128 * 1024;
/** The largest length of one list item, and of everything outside the lists. */
const longestPart = 1024 * 1024;
/** How many items a list of the body's object may have; no call takes more. */
const mostItems = 100_000;
/** The same for a list one level deeper, for which the input of the call has its own limit and message. */
const mostInnerItems = 1_000_000;
/** How many characters or texts are looked at before others may have their turn. */
const stepsAtOnce = 16_384;

/** A list in the body's object, or in an object directly in that one: its keys and its slices. */
interface Outlined {
  readonly path: readonly string[];
  readonly depth: number;
  readonly start: number;
  readonly parts: [from: number, to: number][];
  end: number;
}

/**
 * Parses JSON as `JSON.parse` does, with a limit for the depth. The lists of a large body are
 * parsed in slices, so that no body blocks the process. Errors: SyntaxError; RangeError for a body
 * that is too deep, for a list that is too long, and for an item that is too large.
 */
export function parseJson(text: string): unknown {
  if (text.length > smallLength) return inSlices(parseParts(text, outlineOf(text)));
  // No text that is so short, or has so few brackets, is too deep.
  if (text.length > 2 * deepest && bracketsIn(text) > deepest) atOnce(outlineOf(text));
  return JSON.parse(text);
}

/** The number of opening brackets, also within texts. */
function bracketsIn(text: string): number {
  let count = 0;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) count += 1;
  }
  return count;
}

function* parseParts(text: string, outline: Generator<void, Outlined[]>): Generator<void, unknown> {
  const lists = yield* outline;
  const body = JSON.parse(withoutLists(text, lists));
  for (const { path, parts } of lists) {
    const items: unknown[] = [];
    for (const [from, to] of parts) {
      if (to - from > pieceLength + longestPart) throw tooLarge();
      const part = JSON.parse(`[${text.slice(from, to)}]`) as unknown[];
      if (part.length === 0 && parts.length > 1) throw new SyntaxError('Unexpected , in a list');
      for (const item of part) items.push(item);
      yield;
    }
    const [key = '', outer] = path.toReversed();
    const holder = outer === undefined ? body : ownValue(body, outer);
    // Of a key that is given twice the last value counts, and that may be no list.
    const property = { value: items, enumerable: true, configurable: true, writable: true };
    if (Array.isArray(ownValue(holder, key))) Object.defineProperty(holder, key, property);
  }
  return body;
}

/** The value of a key that the object itself has, such as `__proto__` in JSON. */
const ownValue = (holder: unknown, key: string): unknown =>
  typeof holder === 'object' && holder !== null && !Array.isArray(holder)
    ? Object.getOwnPropertyDescriptor(holder, key)?.value
    : undefined;

/** The text with its outlined lists empty. */
function withoutLists(text: string, lists: readonly Outlined[]): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of lists) {
    rest += text.slice(from, start);
    from = end;
  }
  rest += text.slice(from);
  if (rest.length > longestPart) throw tooLarge();
  return rest;
}

/** Finds the lists of the body's object and of the objects directly in it, and refuses what is nested too deeply, in one linear pass. */
function* outlineOf(text: string): Generator<void, Outlined[]> {
  const lists: Outlined[] = [];
  let list: Outlined | undefined;
  let depth = 0;
  let from = 0;
  /** The positions of the last texts of the body's object and of the object in it. */
  const names: [from: number, to: number][] = [
    [0, 0],
    [0, 0],
  ];
  let isObject = false;
  let isWithin = false;
  let steps = 0;
  let items = 0;
  let inLists = 0;
  for (let at = 0; at < text.length; at++) {
    if (++steps % stepsAtOnce === 0) {
      yield;
      // Stops reading as soon as the input is known to be too large.
      if (list ? at - from > pieceLength + longestPart : at - inLists > longestPart) {
        throw tooLarge();
      }
    }
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfText(text, at);
        if (!list && (depth === 1 || depth === 2)) names[depth - 1] = [at, end + 1];
        at = end;
        break;
      }
      case openList:
      case openObject:
        if (++depth > deepest) throw new RangeError(`is more than ${deepest} levels deep`);
        if (depth === 1) isObject = text.charCodeAt(at) === openObject;
        if (list || !isObject) break;
        if (text.charCodeAt(at) === openObject) isWithin ||= depth === 2;
        else if (depth === 2 || (depth === 3 && isWithin)) {
          from = at + 1;
          items = 1;
          const path = names.slice(0, depth - 1).map((name) => JSON.parse(text.slice(...name)));
          list = { path, depth, start: from, parts: [], end: from };
        }
        break;
      case closeList:
      case closeObject:
        if (list?.depth === depth) {
          if (text.charCodeAt(at) !== closeList) throw new SyntaxError('A list ends with }');
          list.parts.push([from, at]);
          list.end = at;
          lists.push(list);
          inLists += at - list.start;
          list = undefined;
        } else if (depth === 2) isWithin = false;
        depth -= 1;
        break;
      case comma:
        if (list?.depth !== depth) break;
        items += 1;
        if (items > mostInnerItems || (items > mostItems && depth === 2)) {
          throw new RangeError(`has a list of more than ${items - 1} items`);
        }
        if (at - from >= pieceLength) {
          list.parts.push([from, at]);
          from = at + 1;
        }
        break;
    }
  }
  return lists;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Where the text ends that begins with a quote; a quote after an odd number of backslashes is part of it. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  throw new SyntaxError('Unterminated string in JSON');
}

const tooLarge = () =>
  new RangeError(
    `has an item of more than ${longestPart} bytes, or more than that outside its lists`,
  );
