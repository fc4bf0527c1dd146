import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import subsetFont from 'subset-font';
import { folderOf } from './fonts.ts';
import { type NotoName, notoNames, packageOf } from './noto-names.ts';

export type Weight = 400 | 700;

/** A slice of a font: a file of its package, and the first and last code points of its ranges. */
interface Slice {
  readonly file: string;
  readonly font: NotoName;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** A font of one weight, with the characters for which it is read. */
export interface NotoFont {
  readonly name: string;
  readonly bytes: Buffer;
  readonly characters: readonly string[];
}

const mostKeptBytes = 24_000_000;
const kept = new LRUCache<string, Buffer>({
  maxSize: mostKeptBytes,
  sizeCalculation: ({ length }) => length || 1,
});
const read = new Map<NotoName, Promise<Slice[]>>();

/**
 * The fonts of characters. Han characters have Japanese shapes in a document with kana, Korean ones in a document with
 * Hangul, and else Chinese ones. A font that cannot be read is left out.
 */
export async function notoFontsOf(
  characters: ReadonlySet<string>,
  weight: Weight,
  all: string,
): Promise<NotoFont[]> {
  const bySlice = new Map<Slice, string[]>();
  const slices = characters.size > 0 ? await slicesFor(all) : [];
  for (const character of characters) {
    const code = character.codePointAt(0) ?? 0;
    const slice = slices.find(({ ranges }) =>
      ranges.some(([from, to]) => code >= from && code <= to),
    );
    if (slice) bySlice.set(slice, [...(bySlice.get(slice) ?? []), character]);
  }
  const fonts: NotoFont[] = [];
  for (const [slice, covered] of bySlice) {
    // A slice that cannot be read leaves its characters to the next font.
    const bytes = await fontOf(slice, weight).catch(() => undefined);
    const name = `${path.basename(slice.file)} ${weight}`;
    if (bytes) fonts.push({ name, bytes, characters: covered });
  }
  return fonts;
}

async function slicesFor(texts: string): Promise<Slice[]> {
  const isLast: Partial<Record<NotoName, boolean>> = {
    'sans-jp': !/[\u3040-\u30ff\uff66-\uff9f]/.test(texts),
    'sans-kr': !/[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/.test(texts),
  };
  const rankOf = (name: NotoName) => Number(isLast[name] ?? false);
  const ordered = notoNames.toSorted((a, b) => rankOf(a) - rankOf(b));
  const all: Slice[] = [];
  for (const name of ordered) {
    const slices = read.get(name) ?? slicesOf(name);
    read.set(name, slices);
    // The packages of fonts are optional.
    all.push(...(await slices.catch(() => [])));
  }
  return all;
}

/** The slices of a font, without those of Latin and other scripts: their names have no number. */
async function slicesOf(font: NotoName): Promise<Slice[]> {
  const folder = folderOf(packageOf(font));
  const slices: Record<string, string> = JSON.parse(
    await readFile(path.join(folder, 'unicode.json'), 'utf8'),
  );
  return Object.entries(slices)
    .filter(([name]) => name.startsWith('[') || font.endsWith(`-${name}`))
    .map(([name, ranges]) => ({
      font,
      file: path.join(
        folder,
        `files/noto-${font}-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`,
      ),
      ranges: ranges.split(',').map(rangeOf),
    }));
}

function rangeOf(range: string) {
  const [from = '', to = from] = range.trim().slice(2).split('-');
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
}

/** Tables for vertical text and layout, which Chinese, Japanese and Korean rows do not need. */
const unused = ['BASE', 'GDEF', 'GPOS', 'GSUB', 'STAT', 'vhea', 'vmtx'];

/** A slice in one weight. pdfkit embeds neither variable fonts nor WOFF2. */
async function fontOf({ file, font }: Slice, weight: Weight): Promise<Buffer> {
  const key = `${file} ${weight}`;
  const bytes = kept.get(key) ?? (await convert(file, font, weight));
  kept.set(key, bytes);
  return bytes;
}

const convert = async (file: string, font: NotoName, weight: Weight) =>
  subsetFont(await readFile(file), undefined as never, {
    targetFormat: 'truetype',
    variationAxes: { wght: weight },
    // The types of the package lack what follows.
    ...{ keepAllGlyphs: true, noHinting: true, dropTables: /jp|kr|sc$/.test(font) ? unused : [] },
  });
