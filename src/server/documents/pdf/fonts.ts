import { createRequire } from 'node:module';
import path from 'node:path';
import PDFDocument from 'pdfkit';
import { root } from '#root';

export type Pdf = InstanceType<typeof PDFDocument>;

/** The area of a page, in points. */
export const page = { left: 56, right: 539, top: 56, bottom: 785 } as const;

/** Each character that the fonts of every reader of PDFs lack: those have Windows-1252. */
export const notInEveryReader =
  /[^\n\r\t\u0020-\u007e\u00a0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]/u;

/** The files of a package of fonts. */
export const folderOf = (name: string) =>
  path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

/** A new document on A4. Its fonts Regular and Bold are those of every reader. */
export function newPdf(title: string): Pdf {
  const pdf = new PDFDocument(usual(title));
  pdf.registerFont('Regular', 'Helvetica');
  pdf.registerFont('Bold', 'Helvetica-Bold');
  return pdf;
}

const usual = (title: string) => ({ size: 'A4', margin: page.left, info: { Title: title } });

/** A new document on A4 for archives, PDF/A-3. It has no font before DejaVu Sans is used, which it contains. */
export const newArchivePdf = (title: string): Pdf =>
  new PDFDocument({
    ...usual(title),
    subset: 'PDF/A-3b',
    pdfVersion: '1.7',
    font: dejaVu('DejaVuSans.ttf'),
  });

/** DejaVu Sans 2.37, whose package has 21 fonts and 11 MB for the two that documents use. */
const dejaVu = (name: string) => path.join(root, 'src/server/documents/pdf/fonts', name);

/** Makes Regular and Bold those of DejaVu Sans; the document contains the used characters. */
export function useDejaVu(pdf: Pdf) {
  pdf.registerFont('Regular', dejaVu('DejaVuSans.ttf'));
  pdf.registerFont('Bold', dejaVu('DejaVuSans-Bold.ttf'));
}

/** The bytes of a document that `write` completes. */
export async function bytesOf(pdf: Pdf, write: () => void): Promise<NonSharedBuffer> {
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  write();
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}
