import type { Content } from './content.ts';
import { type Pdf, page } from './fonts.ts';
import { writeLogo, writeParties } from './parties.ts';
import { grey, row, rule } from './table.ts';

/** Writes a document, page by page. */
export function writeContent(pdf: Pdf, content: Content, logo: Uint8Array | null) {
  writeLogo(pdf, logo);
  pdf.font('Bold').fontSize(20).text(content.title, page.left, page.top, { width: 320 });
  pdf.font('Regular').fontSize(10).fillColor(grey).moveDown(0.3);
  for (const fact of content.facts) pdf.text(fact);
  if (content.introduction) pdf.text(content.introduction, { width: page.right - page.left });
  writeParties(pdf, content);
  row(pdf, content.columns, 'Bold');
  rule(pdf);
  for (const line of content.lines) row(pdf, line);
  rule(pdf);
  writeSums(pdf, content.sums);
  if (content.settlement.length > 0) pdf.moveDown(1);
  writeSums(pdf, content.settlement);
  writeTransfer(pdf, content.transfer);
  writeClosing(pdf, content.closing);
}

function writeTransfer(pdf: Pdf, lines: Content['transfer']) {
  if (lines.length === 0) return;
  pdf.font('Regular').fillColor('black').moveDown(1).text(lines.join('\n'), page.left, pdf.y);
}

function writeSums(pdf: Pdf, sums: Content['sums']) {
  for (const { text, amount, isBold } of sums) {
    row(pdf, [text, '', '', amount], isBold ? 'Bold' : 'Regular');
  }
}

function writeClosing(pdf: Pdf, { text, isGrey }: Content['closing']) {
  if (!text) return;
  pdf.font('Regular').moveDown(isGrey ? 2 : 1);
  pdf.fillColor(isGrey ? grey : 'black').text(text, page.left, pdf.y, {
    width: page.right - page.left,
  });
}
