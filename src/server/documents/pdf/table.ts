import { type Pdf, page } from './fonts.ts';

/** The columns of the table of lines. */
const columns = { quantity: 285, price: 350, amount: 445 } as const;
export const grey = '#666666';

/** One row of the table of lines, on a new page where it does not fit. */
export function row(
  pdf: Pdf,
  [text = '', quantity = '', price = '', amount = '']: readonly string[],
  font = 'Regular',
) {
  pdf.font(font).fillColor('black').fontSize(10);
  const width = columns.quantity - page.left - 10;
  if (pdf.y + pdf.heightOfString(text || 'A', { width }) > page.bottom) pdf.addPage();
  const { y } = pdf;
  pdf.text(quantity, columns.quantity, y, { width: 60, align: 'right' });
  pdf.text(price, columns.price, y, { width: 90, align: 'right' });
  pdf.text(amount, columns.amount, y, { width: page.right - columns.amount, align: 'right' });
  // Last, because a long text increases the height of the row.
  pdf.text(text || ' ', page.left, y, { width });
  pdf.moveDown(0.4);
}

/** A horizontal line below what is written. */
export function rule(pdf: Pdf) {
  pdf.moveTo(page.left, pdf.y).lineTo(page.right, pdf.y).strokeColor('#cccccc').stroke();
  pdf.moveDown(0.5);
}
