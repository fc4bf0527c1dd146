import { parentPort } from 'node:worker_threads';
import type { Content } from './content.ts';
import { renderMixed } from './render-mixed.ts';
import { isPlain, renderPlain } from './render-plain.ts';

/** A document to render. */
export interface PdfWork {
  readonly content: Content;
  readonly logo: Uint8Array | null;
}

/** The rendered document, or the reason why there is none. */
export type PdfResult = { readonly bytes: Uint8Array } | { readonly problem: string };

parentPort?.on('message', async ({ content, logo }: PdfWork) => {
  parentPort?.postMessage(await resultOf(content, logo));
});

async function resultOf(content: Content, logo: Uint8Array | null): Promise<PdfResult> {
  try {
    const render = isPlain(content) ? renderPlain : renderMixed;
    return { bytes: new Uint8Array(await render(content, logo)) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
