import type { OptionalMailKind } from '#domain/model/mail/mail-kinds.ts';
import { baseStyle, formStyle } from '../pages/base-style.ts';
import { type Brand, brandHeader } from '../pages/brand.ts';
import { type Html, html } from '../pages/html.ts';
import { headersOf, htmlPage } from '../pages/html-page.ts';
import type { TextName } from '../portal/texts/en.ts';
import { mailKindNames } from '../portal/texts/mail-kinds.ts';
import type { Wording } from '../portal/texts/wording.ts';

const style = `${baseStyle}${formStyle}
header, main { max-width: 34rem; }
main { padding: 1rem 1rem 3rem; }
form { margin: 1.25rem 0; }
.note { margin: 1rem 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--note); }
`;

/** The headers of the pages. No other place learns their address, which lets its reader switch. */
export const switchHeaders = headersOf(style, 'no-referrer');

interface Shown {
  readonly wording: Wording;
  readonly seller: Brand;
  readonly livemode: boolean;
  readonly kind: OptionalMailKind;
  readonly isOff: boolean;
}

/** The page of one kind of mails: its state, and the button that changes it. */
export function switchPage({ wording, seller, livemode, kind, isOff }: Shown): string {
  const { text } = wording;
  const name = text(mailKindNames[kind]);
  return page(wording, text('title', { page: name, seller: seller.name }), [
    brandHeader(seller, livemode, text('testMode')),
    html`<main><section aria-labelledby="kind"><h1 id="kind">${name}</h1>
      <p class="note" role="status">${text(isOff ? 'mailsAreOff' : 'mailsAreOn')}</p>
      <form method="post"><button name="mails" value="${isOff ? 'on' : 'off'}">${text(isOff ? 'switchMailsOn' : 'switchMailsOff')}</button></form>
      <p class="soft">${text('mailsAlwaysSent')}</p></section></main>`,
  ]);
}

/** A page without a button, which tells nothing about a customer. */
export const messagePage = (wording: Wording, title: TextName, words: TextName): string =>
  page(wording, wording.text(title), [
    html`<main><section aria-labelledby="title"><h1 id="title">${wording.text(title)}</h1>
      <p>${wording.text(words)}</p></section></main>`,
  ]);

const page = ({ locale }: Wording, title: string, parts: readonly Html[]) =>
  htmlPage({ lang: locale, title, style, body: html`${parts}` });
