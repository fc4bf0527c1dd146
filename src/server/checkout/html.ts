import { escaped } from '../escaped.ts';

interface Shell {
  readonly title: string;
  readonly seller: string;
  readonly isTest: boolean;
  /** Whether the page has two columns. */
  readonly isWide: boolean;
  /** The address that the browser goes to at once. */
  readonly next?: string | null | undefined;
  readonly body: string;
}

/** A page of the checkout. It loads one style sheet of this service, and runs no script. */
export const shell = ({ title, seller, isTest, isWide, next, body }: Shell) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">${next ? `<meta http-equiv="refresh" content="0;url=${next}">` : ''}
    <title>${escaped(title)} – ${escaped(seller)}</title>
    <link rel="stylesheet" href="checkout.css">
  </head>
  <body>
    ${isTest ? '<aside class="test-mode" aria-label="Mode">Test mode: no money moves</aside>' : ''}
    <main class="${isWide ? 'wide' : 'narrow'}">
${body}
    </main>
  </body>
</html>
`;
