import { html } from '../pages/html.ts';
import type { Forms, PageInfo } from './shapes.ts';
import type { TextName } from './texts/en.ts';

interface Names {
  /** The parameters of the address that name a page. */
  readonly before: string;
  readonly after: string;
  /** The part of the page that shows the list. */
  readonly part: 'invoices' | 'documents';
}

const texts: Readonly<Record<Names['part'], readonly [TextName, TextName, TextName]>> = {
  invoices: ['invoicePages', 'newerInvoices', 'olderInvoices'],
  documents: ['documentPages', 'newerDocuments', 'olderDocuments'],
};

/** The ways to the other pages of a list. */
export function pageLinks(page: PageInfo, { before, after, part }: Names, forms: Forms) {
  const { hasPreviousPage, hasNextPage, startCursor, endCursor } = page;
  if (!hasPreviousPage && !hasNextPage) return false;
  const { text } = forms.wording;
  const [label, newer, older] = texts[part];
  const link = (way: string, cursor: string | null, words: string) =>
    html`<a class="button" href="${forms.base}?${way}=${encodeURIComponent(cursor ?? '')}#${part}">${words}</a>`;
  return html`<nav class="actions" aria-label="${text(label)}">
          ${hasPreviousPage && link(before, startCursor, text(newer))}
          ${hasNextPage && link(after, endCursor, text(older))}</nav>`;
}
