import { Html, html } from './html.ts';
import { style } from './style.ts';

/** The seller at the head of a page. */
export interface Brand {
  readonly name: string;
  readonly logo: { readonly dataUrl: string } | null;
}

interface Layout {
  readonly title: string;
  readonly brand?: Brand | undefined;
  readonly livemode?: boolean | undefined;
  /** An address that the browser opens by itself. */
  readonly next?: string | undefined;
  readonly body: Html;
}

/** A whole page of the portal. */
export function page({ title, brand, livemode = true, next, body }: Layout): string {
  const { text } = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    ${next && html`<meta http-equiv="refresh" content="0;url=${next}">`}
    <title>${title}</title>
    <style>${new Html(style)}</style>
  </head>
  <body>
    ${
      brand &&
      html`<header>${brand.logo && html`<img src="${brand.logo.dataUrl}" alt="">`}<b>${brand.name}</b>${
        !livemode && html`<span class="test">Test mode: no money moves</span>`
      }</header>`
    }
    <main>${body}</main>
  </body>
</html>
`;
  return text;
}

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
