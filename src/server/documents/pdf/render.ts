import { type Content, withTexts } from './content.ts';
import { notInEveryReader } from './fonts.ts';
import { isPlain, renderPlain } from './render-plain.ts';
import { inThread } from './thread.ts';

/** A document with more lines blocks other requests for too long. */
const mostLinesHere = 30;
const others = new RegExp(notInEveryReader, 'gu');

/**
 * A document as PDF. A thread renders it when it is long or has characters that not every reader has. If that fails,
 * the document shows question marks for these characters, and `onProblem` gets the reason.
 */
export async function renderPdf(
  content: Content,
  logo: Uint8Array | null,
  onProblem: (error: unknown) => void,
): Promise<NonSharedBuffer> {
  if (content.lines.length <= mostLinesHere && isPlain(content)) return renderPlain(content, logo);
  try {
    return await inThread({ content, logo });
  } catch (error) {
    onProblem(error);
    const plain = withTexts(content, (text) => text.replaceAll(others, '?'));
    return renderPlain(plain, logo);
  }
}

/** A document with its e-invoice as Factur-X, from a thread. Errors: the reason of a failure. */
export const renderFacturX = (
  content: Content,
  logo: Uint8Array | null,
  eInvoice: string,
): Promise<NonSharedBuffer> => inThread({ content, logo, eInvoice });
