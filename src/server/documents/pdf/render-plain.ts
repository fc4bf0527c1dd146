import { type Content, textsIn } from './content.ts';
import { bytesOf, newPdf, notInEveryReader } from './fonts.ts';
import { writeContent } from './write.ts';

/** Whether the fonts of every reader have all characters. */
export const isPlain = (content: Content) =>
  !textsIn(content).some((text) => notInEveryReader.test(text));

/** A document in the fonts of every reader. */
export function renderPlain(content: Content, logo: Uint8Array | null): Promise<NonSharedBuffer> {
  const pdf = newPdf(content.title);
  return bytesOf(pdf, () => writeContent(pdf, content, logo));
}
