import { type Brand, brandHeader } from '../pages/brand.ts';
import { type Html, html } from '../pages/html.ts';
import { htmlPage } from '../pages/html-page.ts';
import { style } from './style.ts';

interface Layout {
  readonly title: string;
  readonly brand?: Brand | undefined;
  readonly livemode?: boolean | undefined;
  /** An address that the browser opens by itself. */
  readonly next?: string | undefined;
  readonly body: Html;
}

/** A whole page of the portal. */
export const page = ({ title, brand, livemode = true, next, body }: Layout): string =>
  htmlPage({
    title,
    style,
    next,
    body: html`${brand && brandHeader(brand, livemode)}<main>${body}</main>`,
  });

/** The page for a link or a session that is not valid. It tells nothing about the customer. */
export const closedPage = () =>
  page({
    title: 'This link is not valid',
    body: html`<h1>This link is not valid</h1>
      <p>It has expired, or it was never complete. Open the billing page again from the application that sent you here.</p>`,
  });

/** The page for a request that cannot be served now, or that no page of the portal sends. */
export const problemPage = (title: string, text: string, back: string) =>
  page({
    title,
    body: html`<h1>${title}</h1><p>${text}</p><p><a class="button" href="${back}">Back to billing</a></p>`,
  });
