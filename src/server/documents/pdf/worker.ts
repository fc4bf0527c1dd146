import { parentPort } from 'node:worker_threads';
import type { Content } from './content.ts';
import { renderMixed } from './render-mixed.ts';
import { isPlain, renderPlain } from './render-plain.ts';

/** A document to render. */
export interface PdfWork {
  readonly content: Content;
  readonly logo: Uint8Array | null;
  /** The Cross Industry Invoice that the document contains, which makes it Factur-X. */
  readonly eInvoice?: string | undefined;
}

/** The rendered document, or the reason why there is none. */
export type PdfResult = { readonly bytes: Uint8Array } | { readonly problem: string };

parentPort?.on('message', async (work: PdfWork) => {
  parentPort?.postMessage(await resultOf(work));
});

async function resultOf({ content, logo, eInvoice }: PdfWork): Promise<PdfResult> {
  try {
    const isUsual = !eInvoice && isPlain(content);
    const bytes = isUsual
      ? await renderPlain(content, logo)
      : await renderMixed(content, logo, eInvoice);
    return { bytes: new Uint8Array(bytes) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
