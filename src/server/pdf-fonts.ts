import { createRequire } from 'node:module';
import path from 'node:path';
import PDFDocument from 'pdfkit';

export type Pdf = InstanceType<typeof PDFDocument>;

/** The area of a page, in points. */
export const page = { left: 56, right: 539, top: 56, bottom: 785 } as const;

/** The characters of the fonts that every reader of PDFs has: Windows-1252. */
const inEveryReader =
  /^[\n\r\t\u0020-\u007e\u00a0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]*$/;

const folder = () =>
  path.join(
    path.dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
    'ttf',
  );

/**
 * A new document on A4 with the fonts Regular and Bold. They are those of every reader, unless a text needs others:
 * then the used characters of DejaVu Sans are part of the file.
 */
export function newPdf(title: string, texts: readonly string[]): Pdf {
  const pdf = new PDFDocument({ size: 'A4', margin: page.left, info: { Title: title } });
  const isPlain = texts.every((text) => inEveryReader.test(text));
  const file = (name: string) => path.join(folder(), name);
  pdf.registerFont('Regular', isPlain ? 'Helvetica' : file('DejaVuSans.ttf'));
  pdf.registerFont('Bold', isPlain ? 'Helvetica-Bold' : file('DejaVuSans-Bold.ttf'));
  return pdf;
}

/** The content of a document that `write` completes. */
export async function contentOf(pdf: Pdf, write: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => pdf.on('end', resolve));
  write();
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/** All texts in a value, however deep. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
