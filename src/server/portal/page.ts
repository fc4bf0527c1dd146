import { type Brand, brandHeader } from '../pages/brand.ts';
import { type Html, html } from '../pages/html.ts';
import { htmlPage } from '../pages/html-page.ts';
import { scriptFor } from './live-part.ts';
import type { Billing, Forms } from './shapes.ts';
import { style } from './style.ts';
import { languages, type Wording } from './texts/wording.ts';

interface Layout {
  readonly wording: Wording;
  readonly title: string;
  readonly brand?: Brand | undefined;
  readonly livemode?: boolean | undefined;
  /** An address that the browser opens by itself. */
  readonly next?: string | undefined;
  readonly script?: Html | undefined;
  readonly body: Html;
  readonly foot?: Html | undefined;
}

/** A whole page of the portal. */
const page = ({ wording, title, brand, livemode = true, next, script, body, foot }: Layout) =>
  htmlPage({
    lang: wording.locale,
    title,
    style,
    next,
    script,
    body: html`${brand && brandHeader(brand, livemode, wording.text('testMode'))}<main>${body}</main>${foot}`,
  });

interface SessionLayout {
  readonly title: string;
  readonly body: Html;
  readonly next?: string | undefined;
  /** Whether the page is the one that shows changes. */
  readonly isLive?: boolean;
}

/** A page of a session, with the seller at its head. */
export function sessionPage(
  { seller, customer }: Billing,
  forms: Forms,
  { title, body, next, isLive = false }: SessionLayout,
): string {
  const { wording } = forms;
  return page({
    wording,
    title: wording.text('title', { page: title, seller: seller.name }),
    brand: seller,
    livemode: customer.livemode,
    next,
    script: isLive ? scriptFor(forms) : undefined,
    body,
    foot: footPart(forms, isLive),
  });
}

/** The time zone of all days, and on the live page the other languages of the portal. */
function footPart({ base, wording }: Forms, isLive: boolean): Html {
  const note = html`<span class="soft">${wording.text('daysInUtc')}</span>`;
  if (!isLive) return html`<footer>${note}</footer>`;
  const others = Object.entries(languages).filter(([language]) => language !== wording.language);
  return html`<footer>${note}<nav aria-label="${wording.text('languages')}">${others.map(
    ([language, texts]) =>
      html`<a href="${base}?locale=${language}" lang="${language}" hreflang="${language}">${texts.language}</a>`,
  )}</nav></footer>`;
}

/** The page for a link or a session that is not valid. It tells nothing about the customer. */
export const closedPage = (wording: Wording) =>
  page({
    wording,
    title: wording.text('closedTitle'),
    body: html`<h1>${wording.text('closedTitle')}</h1><p>${wording.text('closedText')}</p>`,
  });

/** The page for a request that cannot be served now, or that no page of the portal sends. */
export const problemPage = (wording: Wording, title: string, text: Html, back: string) =>
  page({
    wording,
    title,
    body: html`<h1>${title}</h1><p>${text}</p><p><a class="button" href="${back}">${wording.text('backToBilling')}</a></p>`,
  });

/** A reason that the service states, in its own language. */
export const reasonPart = ({ language }: Wording, reason: string | null): Html =>
  language === 'en' ? html`${reason}` : html`<span lang="en">${reason}</span>`;
