import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import subsetFont from 'subset-font';
import { folderOf } from './fonts.ts';

/** The scripts that DejaVu Sans lacks: Japanese, Korean, Chinese and Thai. */
const scripts = ['thai', 'jp', 'kr', 'sc'] as const;
type Script = (typeof scripts)[number];
export type Weight = 400 | 700;

/** A slice of a font: a file of its package, and the first and last code points of its ranges. */
interface Slice {
  readonly file: string;
  readonly script: Script;
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
const read = new Map<Script, Promise<Slice[]>>();

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
    const bytes = await fontOf(slice, weight).catch(() => undefined);
    const name = `${path.basename(slice.file)} ${weight}`;
    if (bytes) fonts.push({ name, bytes, characters: covered });
  }
  return fonts;
}

async function slicesFor(texts: string): Promise<Slice[]> {
  const isFirst: Record<Script, boolean> = {
    jp: /[\u3040-\u30ff\uff66-\uff9f]/.test(texts),
    kr: /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/.test(texts),
    sc: true,
    // Fonts of other scripts name some of its letters without having them.
    thai: true,
  };
  const ordered = [...scripts].sort((a, b) => Number(isFirst[b]) - Number(isFirst[a]));
  const all: Slice[] = [];
  for (const script of ordered) {
    const slices = read.get(script) ?? slicesOf(script);
    read.set(script, slices);
    all.push(...(await slices.catch(() => [])));
  }
  return all;
}

/** The slices of a font, without those of Latin and other scripts: their names have no number. */
async function slicesOf(script: Script): Promise<Slice[]> {
  const folder = folderOf(`@fontsource-variable/noto-sans-${script}`);
  const slices: Record<string, string> = JSON.parse(
    await readFile(path.join(folder, 'unicode.json'), 'utf8'),
  );
  return Object.entries(slices)
    .filter(([name]) => name.startsWith('[') || name === script)
    .map(([name, ranges]) => ({
      script,
      file: path.join(
        folder,
        `files/noto-sans-${script}-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`,
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
async function fontOf({ file, script }: Slice, weight: Weight): Promise<Buffer> {
  const key = `${file} ${weight}`;
  const font = kept.get(key) ?? (await convert(file, script, weight));
  kept.set(key, font);
  return font;
}

const convert = async (file: string, script: Script, weight: Weight) =>
  subsetFont(await readFile(file), undefined as never, {
    targetFormat: 'truetype',
    variationAxes: { wght: weight },
    // The types of the package lack what follows.
    ...{ keepAllGlyphs: true, noHinting: true, dropTables: script === 'thai' ? [] : unused },
  });
