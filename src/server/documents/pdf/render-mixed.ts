import { boldTexts, type Content, textsIn, withTexts } from './content.ts';
import { attachEInvoice } from './factur-x.ts';
import { bytesOf, newArchivePdf, newPdf, useDejaVu } from './fonts.ts';
import { lackedBy, mixFonts } from './mixed-fonts.ts';
import { notoFontsOf, type Weight } from './noto-fonts.ts';
import { writeContent } from './write.ts';

/**
 * A document with any characters, with an e-invoice as Factur-X. It takes up to seconds, so that it has a thread of its
 * own.
 */
export async function renderMixed(
  content: Content,
  logo: Uint8Array | null,
  eInvoice?: string | undefined,
): Promise<NonSharedBuffer> {
  const breakable = withTexts(content, (text) => withBreaks(text).replaceAll(bitcoin, '\u0243'));
  const pdf = eInvoice ? newArchivePdf(content.title) : newPdf(content.title);
  useDejaVu(pdf);
  const texts = textsIn(breakable);
  const all = texts.join('');
  const fontsFor = (name: string, weight: Weight, used: readonly string[]) =>
    notoFontsOf(lackedBy(pdf, name, used), weight, all);
  mixFonts(pdf, {
    Regular: await fontsFor('Regular', 400, texts),
    Bold: await fontsFor('Bold', 700, boldTexts(breakable)),
  });
  return bytesOf(pdf, () => {
    writeContent(pdf, breakable, logo);
    if (eInvoice) attachEInvoice(pdf, eInvoice);
  });
}

/** The sign of Bitcoin, for which no font has a shape; the letter Ƀ is its other symbol. */
const bitcoin = '\u20bf';

/** Words of scripts without spaces between them. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu;
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
/** The vowel Am of Thai and Lao with the marks before it. */
const thaiAm = /([\u0e34-\u0e37\u0e47-\u0e4e]*)\u0e33/g;
const laoAm = /([\u0eb4-\u0eb7\u0ec8-\u0ecc]*)\u0eb3/g;

/**
 * Thai, Lao and Khmer have no spaces between words: a zero-width space is where a line can end. The vowel Am
 * is written as its two parts, one of which is below the marks.
 */
const withBreaks = (text: string) =>
  text.replaceAll(unspaced, (words) =>
    Array.from(segmenter.segment(words), ({ segment }) => segment)
      .join('\u200b')
      .replaceAll(thaiAm, '\u0e4d$1\u0e32')
      .replaceAll(laoAm, '\u0ecd$1\u0eb2'),
  );
