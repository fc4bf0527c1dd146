import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';

interface HtmlPage {
  /** The language of the texts; English when absent. */
  readonly lang?: string | undefined;
  readonly title: string;
  readonly style: string;
  /** An address that the browser opens by itself. */
  readonly next?: string | null | undefined;
  /** A file of this service that keeps the page current. The page is complete without it. */
  readonly script?: Html | undefined;
  readonly body: Html;
}

/** A whole page for customers. */
export const htmlPage = ({ lang = 'en', title, style, next, script, body }: HtmlPage): string =>
  html`<!doctype html>
<html lang="${lang}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    ${next && html`<meta http-equiv="refresh" content="0;url=${next}">`}
    <title>${title}</title>
    <style>${new Html(style)}</style>
    ${script}
  </head>
  <body>
    ${body}
  </body>
</html>
`.text;

/** The headers of pages with a style. No page is framed, loads anything, or sends a form to another place. */
export function headersOf(style: string, referrer: 'same-origin' | 'no-referrer') {
  const digest = createHash('sha256').update(style).digest('base64');
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; img-src data: 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    'referrer-policy': referrer,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  } as const;
}
