import { ImportError } from './import-error.ts';

/** The text of a file, and the encoding in which it was written. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
}

/** The bytes that Windows-1252 has no character for. */
const undefinedBytes = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/** How many bytes show whether a text without a byte order mark is UTF-16. */
const sample = 1_000;

/**
 * Decodes the text of a file as people have it: UTF-8, UTF-16, or else Windows-1252 as spreadsheets of Western Europe
 * write it. A byte order mark is no part of the text. Errors: ImportError for bytes that are text in none of them.
 */
export function textIn(bytes: Uint8Array, file: string): DecodedText {
  const encoding = encodingOf(bytes);
  if (encoding === 'windows-1252' && bytes.some((byte) => undefinedBytes.has(byte) || byte === 0)) {
    throw new ImportError(
      `${file} is text in neither UTF-8, UTF-16 nor Windows-1252: save it as UTF-8`,
    );
  }
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
  } catch {
    throw new ImportError(`${file} is not well-formed ${encoding.toUpperCase()}: save it as UTF-8`);
  }
}

function encodingOf(bytes: Uint8Array): DecodedText['encoding'] {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Text in letters of Latin has a zero in each pair of bytes.
  const begin = bytes.subarray(0, sample);
  const zeros = (odd: number) =>
    begin.filter((byte, place) => byte === 0 && place % 2 === odd).length * 4 > begin.length;
  if (zeros(1)) return 'utf-16le';
  if (zeros(0)) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    // It is not well-formed UTF-8.
    return 'windows-1252';
  }
}

/** The line of a text that shows in which letters it was read: the first one with a letter beyond ASCII. */
export const tellingLine = (text: string): { line: number; content: string } | undefined => {
  const lines = text.split(/\r\n|\r|\n/);
  const place = lines.findIndex((line) => /[^\0-\x7f]/.test(line));
  return place < 0 ? undefined : { line: place + 1, content: (lines[place] ?? '').slice(0, 80) };
};

/** The path of a text within a value that was damaged before: it has U+FFFD, or half of a surrogate pair. */
export function damagedPath(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') {
    return value.includes('\u{fffd}') || !value.isWellFormed() ? path : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = damagedPath(part, path ? `${path}.${key}` : key);
    if (found !== undefined) return found;
  }
  return undefined;
}
