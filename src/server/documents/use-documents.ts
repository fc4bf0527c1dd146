import { type EntityClass, LoadStrategy } from '@mikro-orm/core';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Plugin } from 'graphql-yoga';
import {
  describeCreditNote,
  describeInvoice,
} from '#domain/invoicing/einvoicing/describe-documents.ts';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { openSession } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { OrganizationLogo } from '#domain/model/platform/organization-logo.ts';
import {
  type DocumentKind,
  documentKinds,
  documentSecretOf,
  isValidLink,
} from '#domain/platform/access/document-link.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';
import type { Logger } from '../observability/logger.ts';
import { consolidatedOf } from './consolidated-document.ts';
import { eDocumentOf, isEInvoice } from './e-invoices/e-document.ts';
import type { Content } from './pdf/content.ts';

const path = /^\/documents\/(\w+)\/(\w+)$/;

/**
 * Serves invoices, receipts and credit notes as PDF and as e-invoices for signed links. Without a link the answer is 404,
 * and 409 for an e-invoice that a document cannot have.
 */
export function useDocuments(orm: MikroORM, logger: Logger): Plugin {
  return {
    onRequest({ request, url, fetchAPI: { Response }, endResponse }) {
      const [, kind = '', id = ''] = path.exec(url.pathname) ?? [];
      if (!documentKinds.includes(kind as DocumentKind) || request.method !== 'GET') return;
      const wanted = documentOf(orm, kind as DocumentKind, id, url.searchParams, report);
      return wanted.then(answer, unavailable).then(endResponse);

      function report(err: unknown) {
        logger.error({ err, kind, id }, 'The document lacks characters: the fonts failed');
      }

      function answer(pdf: Awaited<typeof wanted>): Response {
        if (!pdf) {
          const message = 'This link is invalid or has expired: read a new one from the invoice';
          return new Response(`${message}\n`, { status: 404, headers: { ...plain } });
        }
        if ('problem' in pdf) {
          return new Response(`${pdf.problem}\n`, { status: 409, headers: { ...plain } });
        }
        const { type = 'application/pdf', name } = pdf;
        const file = type === 'application/pdf' ? `${name}.pdf` : `${name}.xml`;
        const headers = {
          'content-type': type,
          'content-disposition': `inline; filename="${file}"`,
          'cache-control': 'private, no-store',
        };
        return new Response(pdf.body, { headers });
      }

      function unavailable(error: unknown): Response {
        if (databaseFailure(error) === undefined) throw error;
        const headers = { ...plain, 'retry-after': '1' };
        return new Response('The database is busy or unavailable; try again\n', {
          status: 503,
          headers,
        });
      }
    },
  };
}

/** Copied into each answer: a response writes its length into the headers that it is given. */
const plain = { 'content-type': 'text/plain; charset=utf-8' };

type Document = Invoice | CreditNote | ConsolidatedInvoice;

/** A document, with its media type where it is no PDF; or the reason why there is none. */
type Found =
  | { readonly body: NonSharedBuffer | string; readonly name: string; readonly type?: string }
  | { readonly problem: string };

async function documentOf(
  orm: MikroORM,
  kind: DocumentKind,
  id: string,
  query: URLSearchParams,
  onProblem: (error: unknown) => void,
): Promise<Found | undefined> {
  const now = await presentOf(orm.em);
  // The client has a link and no key; the link itself names the document.
  const isNote = id.startsWith('credit_note_');
  const isConsolidated = id.startsWith('cons_inv_');
  const others = isConsolidated ? ConsolidatedInvoice : Invoice;
  const entity: EntityClass<Document> = isNote ? CreditNote : others;
  const found = await orm.em.fork().findOne(entity, { id }, { filters: { tenant: false } });
  if (!found) return undefined;
  const { organizationId, livemode, pricingModelId } = found;
  const session = openSession(orm.em, {
    organizationId,
    livemode,
    pricingModelId,
    keyType: 'secret',
    now,
  });
  const { em } = session;
  const organization = await settingsOf({ em, organizationId, livemode });
  const link = { kind, id, expires: Number(query.get('expires')) };
  if (!isValidLink(documentSecretOf(organization), link, query.get('signature') ?? '', now)) {
    return undefined;
  }
  if (isNote) {
    const populate = ['lines', 'invoice', 'invoice.parties'] as const;
    // The parties are not among the usual columns of an invoice.
    const strategy = LoadStrategy.JOINED;
    const note = await em.findOneOrFail(CreditNote, id, { populate, strategy });
    const { creditNoteContent } = await import('./pdf/credit-note.ts');
    const { parties, logo } = await partiesOf(em, note.invoice.unwrap());
    const name = `credit-note-${note.creditNoteNumber}`;
    const content = creditNoteContent(note, parties);
    if (isEInvoice(kind)) {
      const described = await describeCreditNote(session, note);
      return eDocumentOf(kind, { described, content, logo, name });
    }
    return { body: await pdfOf(content, logo, onProblem), name };
  }
  if (isConsolidated) {
    if (isEInvoice(kind))
      return { problem: 'A consolidated invoice has no e-invoice: read those of its invoices' };
    const found = await consolidatedOf(session, id, kind === 'receipt' ? 'receipt' : 'invoice');
    if (!found) return undefined;
    const logo = await logoOf(em, found.member);
    return { body: await pdfOf(found.content, logo, onProblem), name: found.name };
  }
  const invoice = await em.findOneOrFail(Invoice, id, {
    populate: ['lineItems', 'parties'],
  });
  const payments = await em.find(Payment, { invoice: id }, { orderBy: { chargeDate: 'asc' } });
  const isThere =
    kind === 'receipt'
      ? invoice.hasReceipt || payments.some(({ settlementDate }) => settlementDate)
      : invoice.status !== 'draft';
  if (!isThere) return undefined;
  const { invoiceContent } = await import('./pdf/invoice.ts');
  const { parties, logo } = await partiesOf(em, invoice);
  if (isEInvoice(kind)) {
    const content = invoiceContent('invoice', { invoice, parties, payments });
    const described = await describeInvoice(session, invoice);
    return eDocumentOf(kind, {
      described,
      content,
      logo,
      name: `invoice-${invoice.invoiceNumber}`,
    });
  }
  const shown = kind === 'receipt' ? 'receipt' : 'invoice';
  const body = await pdfOf(invoiceContent(shown, { invoice, parties, payments }), logo, onProblem);
  return { body, name: `${shown}-${invoice.invoiceNumber}` };
}

async function pdfOf(
  content: Content,
  logo: Uint8Array | null,
  onProblem: (error: unknown) => void,
): Promise<NonSharedBuffer> {
  // Loaded on demand, because most processes write no document.
  const { renderPdf } = await import('./pdf/render.ts');
  return renderPdf(content, logo, onProblem);
}

/** The parties of a finalized invoice, which every document about it shows, with the seller's picture. */
async function partiesOf(em: EntityManager, invoice: Invoice) {
  const { id, parties } = invoice;
  if (!parties) throw new Error(`The invoice ${id} has no parties`);
  return { parties, logo: await logoOf(em, invoice) };
}

/** The seller's picture on documents about an invoice. */
async function logoOf(em: EntityManager, { parties, organizationId, livemode }: Invoice) {
  const logoId = parties?.seller.logoId ?? null;
  const own = { id: logoId ?? '', organizationId, livemode };
  const logo = logoId === null ? null : await em.findOne(OrganizationLogo, own);
  return logo && Uint8Array.from(logo.content);
}
