import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import {
  agreedAmounts,
  type CheckoutSummary,
  dueNow,
} from '#domain/money/commands/checkout-sessions/checkout-summary.ts';
import type { ShownCheckout } from '#domain/money/commands/checkout-sessions/read-checkout.ts';
import { brandHeader } from '../pages/brand.ts';
import { address, type Html, html } from '../pages/html.ts';
import { htmlPage } from '../pages/html-page.ts';
import { codePart } from './code-part.ts';
import { defaultButton, formPart, type Values } from './form-part.ts';
import { style } from './style.ts';
import { summaryPart } from './summary-part.ts';
import type { CheckoutWording } from './texts/checkout-wording.ts';
import type { CheckoutTextName } from './texts/en.ts';

/** The content of the page of a checkout session. */
export interface CheckoutPageParts
  extends Pick<ShownCheckout, 'takesCodes' | 'code' | 'knownTaxIds'> {
  readonly checkout: CheckoutSession;
  /** The status at the present: an open session may have expired. */
  readonly status: CheckoutSession['status'];
  readonly seller: string;
  readonly summary: CheckoutSummary | null;
  readonly isSandbox: boolean;
  /** The page where the customer confirms a pending payment. */
  readonly actionUrl: string | null;
  /** Why it cannot be completed any more. */
  readonly ending: string | null;
  /** Whether the processor did not state the outcome of its page. */
  readonly isUnread?: boolean;
  /** The page of the processor that follows. */
  readonly nextUrl?: string | null;
  readonly values: Values;
  readonly problems: Values;
  readonly problem: Html | null;
  /** Whether the amount is another one than before, so that nothing was charged. */
  readonly isChanged: boolean;
  readonly wording: CheckoutWording;
}

const titles: Readonly<Record<CheckoutSession['type'], CheckoutTextName>> = {
  product: 'checkout',
  purchase: 'checkout',
  add_payment_method: 'addMethodTitle',
  activate_subscription: 'activateTitle',
};

/** The page of a checkout session in its present state. */
export function checkoutPage(parts: CheckoutPageParts): string {
  const { status, nextUrl } = parts;
  const { text } = parts.wording;
  if (nextUrl) {
    const link = { next: nextUrl, link: text('continue') };
    return message(parts, text('nextTitle'), text('nextText'), link);
  }
  if (status === 'open' && parts.isUnread) {
    const link = { url: '', link: text('checkAgain') };
    return message(parts, text('momentTitle'), text('unreadText'), link);
  }
  if (status === 'open') return openPage(parts);
  return closedPage(parts);
}

function openPage(parts: CheckoutPageParts): string {
  const { checkout, summary, wording } = parts;
  const { text, money } = wording;
  const title = text(titles[checkout.type]);
  const what =
    summary?.lines.length === 1 && checkout.type !== 'activate_subscription'
      ? (summary.lines[0]?.description ?? title)
      : title;
  const due = summary ? dueNow(summary) : 0;
  const usual = text(checkout.type === 'add_payment_method' ? 'addMethod' : 'confirm');
  const payLabel =
    summary && due > 0 ? text('pay', { amount: money(due, summary.currency) }) : usual;
  const button = parts.isSandbox ? payLabel : text('toPayment');
  const { cancelUrl = null } = checkout;
  const form = formPart({
    ...parts,
    ...{ button, cancelUrl },
    shown: summary && agreedAmounts(summary),
  });
  if (!summary) return shell(parts, title, html`<h1>${title}</h1>${form}`);
  return shell(
    parts,
    title,
    html`${defaultButton}${summaryPart(what, summary, wording, codePart(parts))}${form}`,
    'wide',
  );
}

function closedPage(parts: CheckoutPageParts): string {
  const { checkout, status, actionUrl, ending, wording } = parts;
  const { text } = wording;
  if (status === 'succeeded') {
    const next = successUrl(checkout);
    const isMethod = checkout.type === 'add_payment_method';
    const done = text(isMethod ? 'methodAdded' : 'orderComplete');
    return message(parts, text('thanksTitle'), done, { next, link: text('continue') });
  }
  if (status === 'pending') {
    if (actionUrl) {
      const link = { url: actionUrl, link: text('confirm') };
      return message(parts, text('confirmTitle'), text('confirmText'), link);
    }
    const isCard = checkout.paymentMethodType === 'card';
    const title = text(isCard ? 'momentTitle' : 'progressTitle');
    const link = { url: '', link: text('checkAgain') };
    return message(parts, title, text(isCard ? 'cardText' : 'debitText'), link);
  }
  const link = { url: checkout.cancelUrl, link: text('return') };
  if (status === 'expired') return message(parts, text('expiredTitle'), text('expiredText'), link);
  const reason = ending === null ? null : wording.english(`${ending.replace(/\.$/, '')}.`);
  const words = reason ? html`${reason} ${text('startAgain')}` : text('failedText');
  return message(parts, text('failedTitle'), words, link);
}

/** The page while the taxes of a checkout cannot be computed. */
export const untaxedPage = (wording: CheckoutWording) =>
  statePage(wording, 'untaxedTitle', 'untaxedText');

/** The page for an address that leads to no checkout session. It tells nothing about any. */
export const unknownPage = (wording: CheckoutWording) =>
  statePage(wording, 'unknownTitle', 'unknownText');

const statePage = (
  { locale, text }: CheckoutWording,
  title: CheckoutTextName,
  words: CheckoutTextName,
) =>
  htmlPage({
    lang: locale,
    title: text(title),
    style,
    body: html`<main class="narrow"><section aria-labelledby="state">
        <h1 id="state">${text(title)}</h1>
        <p>${text(words)}</p>
      </section></main>`,
  });

/** The address after completion, with the id of the session. */
function successUrl({ id, successUrl }: CheckoutSession): string | null {
  if (!successUrl) return null;
  const url = new URL(successUrl);
  url.searchParams.set('checkoutSessionId', id);
  return url.href;
}

interface Link {
  /** The address of the link; the empty text is the page itself. */
  readonly url?: string | null | undefined;
  /** The address that the browser goes to at once. */
  readonly next?: string | null;
  readonly link: string;
}

function message(
  parts: CheckoutPageParts,
  title: string,
  text: string | Html,
  { url, next, link }: Link,
) {
  const href = url === '' ? '' : address(next ?? url);
  const body = html`<section aria-labelledby="state">
        <h1 id="state">${title}</h1>
        <p role="status" dir="auto">${text}</p>
        ${href !== null && html`<p><a class="button" href="${href}">${link}</a></p>`}
      </section>`;
  return shell(parts, title, body, 'narrow', address(next));
}

function shell(
  { seller, checkout, wording: { locale, text } }: CheckoutPageParts,
  title: string,
  content: Html,
  width: 'wide' | 'narrow' = 'narrow',
  next: string | null = null,
) {
  const body = html`${brandHeader({ name: seller }, checkout.livemode, text('testMode'))}
    <main class="${width}">${content}</main>`;
  return htmlPage({ lang: locale, title: `${title} – ${seller}`, style, next, body });
}
