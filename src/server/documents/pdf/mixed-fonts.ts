import type { Pdf } from './fonts.ts';
import type { NotoFont } from './noto-fonts.ts';
import { type Run, runsOf, type Shown } from './text-runs.ts';

type Options = PDFKit.Mixins.TextOptions & {
  readonly lineWidth?: number;
  readonly textWidth?: number;
};

interface Font {
  readonly ascender: number;
  readonly font: Shapes;
}

interface Anchor {
  readonly xCoordinate: number;
}

/** The parts of a font of fontkit that find glyphs and place marks. */
interface Shapes {
  hasGlyphForCodePoint(code: number): boolean;
  readonly _layoutEngine: {
    readonly engine?: {
      readonly GPOSProcessor: {
        applyAnchor(mark: { markAnchor: Anchor | null }, base: Anchor | null, at: number): void;
      } | null;
    };
  };
}

/** The parts of pdfkit that write one line in one font. */
interface Lines {
  _font: Font;
  _fontSize: number;
  _fragment(text: string, x: number, y: number, options: Options): void;
}

/** Characters without a shape: line breaks, variation selectors, skin tones and marks of format. */
const shapeless =
  /^(?:[\n\r]|\p{Emoji_Modifier}|(?![\u200c\u200d])\p{Default_Ignorable_Code_Point})$/u;
const joiner = /^[\u200c\u200d]$/;
/** The shape of a character that no font has. */
const replacement = '\ufffd';

/** The characters of texts that the font of a document lacks. */
export function lackedBy(pdf: Pdf, name: string, texts: readonly string[]): Set<string> {
  const { font } = (pdf.font(name) as Pdf & Lines)._font;
  const isLacked = (character: string) =>
    !/\s/.test(character) &&
    !shapeless.test(character) &&
    !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  return new Set([...new Set(texts.join(''))].filter(isLacked));
}

/** Makes a document write each character in a font that has it, and right-to-left text in its order. */
export function mixFonts(pdf: Pdf, fonts: Readonly<Record<'Regular' | 'Bold', NotoFont[]>>) {
  const lines = pdf as Pdf & Lines;
  const widthOf = pdf.widthOfString.bind(pdf);
  const writeFragment = lines._fragment.bind(lines);
  const shownIn = new Map<Font, (character: string) => Shown>();
  for (const name of ['Regular', 'Bold'] as const) {
    const names = namesIn(pdf, fonts[name]);
    const base = (pdf.font(name) as Pdf & Lines)._font;
    shownIn.set(
      base,
      remembered((character) => shownAs(character, base, names)),
    );
  }

  function runsIn(text: string): Run[] {
    return runsOf(text, shownIn.get(lines._font) as (character: string) => Shown);
  }
  function inFontOf<Result>({ font }: Run, use: () => Result): Result {
    if (font === undefined) return use();
    const { _font } = lines;
    pdf.font(font);
    const result = use();
    lines._font = _font;
    return result;
  }
  const widthOfRun = (run: Run) => inFontOf(run, () => widthOf(run.text, shapingOf(run)));

  pdf.widthOfString = (text) => runsIn(text).reduce((sum, run) => sum + widthOfRun(run), 0);
  lines._fragment = (text, x, y, options) => {
    const line = text.trimEnd();
    // All fonts of a line are written on the same base line.
    const baseline = (-lines._font.ascender / 1000) * lines._fontSize;
    const isRight = options.align === 'right' && options.lineWidth !== undefined;
    let left = isRight ? x + (options.lineWidth ?? 0) - pdf.widthOfString(line) : x;
    for (const run of runsIn(line)) {
      const textWidth = widthOfRun(run);
      const own = { ...options, ...shapingOf(run), align: 'left', baseline, textWidth } as const;
      if (run.isReordered) pdf.markContent('Span', { actual: run.text });
      inFontOf(run, () => writeFragment(run.text, left, y, own));
      if (run.isReordered) pdf.endMarkedContent();
      left += textWidth;
    }
  };
}

/** The name of the font of each character, of those that the fonts contain. */
function namesIn(pdf: Pdf, fonts: readonly NotoFont[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, bytes, characters } of fonts) {
    pdf.registerFont(name, bytes);
    const { font } = (pdf.font(name) as Pdf & Lines)._font;
    allowMissingAnchors(font);
    for (const character of characters) {
      if (font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) names.set(character, name);
    }
  }
  return names;
}

/** A mark or a base without an anchor stays where it is; fontkit 2.0.4 fails on it, although fonts may have such. */
function allowMissingAnchors({ _layoutEngine: { engine } }: Shapes) {
  const placing = engine?.GPOSProcessor;
  if (!placing) return;
  const applyAnchor = placing.applyAnchor.bind(placing);
  placing.applyAnchor = (mark, base, at) => {
    if (base && mark.markAnchor) applyAnchor(mark, base, at);
  };
}

function shownAs(character: string, base: Font, names: ReadonlyMap<string, string>): Shown {
  if (shapeless.test(character)) return { text: '', font: undefined };
  if (/\s/.test(character) && character !== '\u3000') return { text: ' ', font: undefined };
  const font = names.get(character);
  const isThere = font || base.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  if (isThere) return { text: character, font };
  return { text: joiner.test(character) ? '' : replacement, font: undefined };
}

function remembered(find: (character: string) => Shown) {
  const known = new Map<string, Shown>();
  return (character: string): Shown => {
    const shown = known.get(character) ?? find(character);
    known.set(character, shown);
    return shown;
  };
}

/** With features, pdfkit lays out a whole run, whose letters the font joins. */
const shapingOf = ({ isShaped }: Run) => (isShaped ? { features: [] } : {});
