import type { Described } from '#domain/invoicing/einvoicing/describe-documents.ts';
import type { DocumentKind } from '#domain/platform/access/document-link.ts';
import type { Content } from '../pdf/content.ts';
import { ciiOf } from './cii.ts';
import { ublOf } from './ubl.ts';

type EKind = 'ubl' | 'cii' | 'facturx';

/** Whether a kind of document is an e-invoice. */
export const isEInvoice = (kind: DocumentKind): kind is EKind =>
  kind === 'ubl' || kind === 'cii' || kind === 'facturx';

interface Parts {
  readonly described: Described;
  /** The pages of Factur-X. */
  readonly content: Content;
  readonly logo: Uint8Array | null;
  readonly name: string;
}

/** An e-invoice as a file; or the reasons why there is none, a line each. */
export async function eDocumentOf(kind: EKind, { described, content, logo, name }: Parts) {
  const { document, problems } = described;
  if (!document) {
    return { problem: problems.map(({ field, message }) => `${field} ${message}`).join('\n') };
  }
  if (kind === 'ubl') return { body: ublOf(document), name, type: 'application/xml' };
  const cii = ciiOf(document);
  if (kind === 'cii') return { body: cii, name, type: 'application/xml' };
  const { renderFacturX } = await import('../pdf/render.ts');
  return { body: await renderFacturX(content, logo, cii), name };
}
