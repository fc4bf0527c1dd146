import type { CheckoutSession } from '#domain/checkout-sessions/checkout-session.ts';
import type { CheckoutSummary } from '#domain/checkout-sessions/checkout-summary.ts';
import { moneyText } from '#domain/kernel/currencies.ts';
import { brandHeader } from '../pages/brand.ts';
import { address, type Html, html } from '../pages/html.ts';
import { htmlPage } from '../pages/html-page.ts';
import { formPart, type Values } from './form-part.ts';
import { style } from './style.ts';
import { dueNow, summaryPart } from './summary-part.ts';

/** The content of the page of a checkout session. */
export interface CheckoutPageParts {
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
  readonly problem: string | null;
}

const titles: Readonly<Record<CheckoutSession['type'], string>> = {
  product: 'Checkout',
  purchase: 'Checkout',
  add_payment_method: 'Add a payment method',
  activate_subscription: 'Activate your subscription',
};

/** The page of a checkout session in its present state. */
export function checkoutPage(parts: CheckoutPageParts): string {
  const { status, nextUrl } = parts;
  if (nextUrl) {
    return message(parts, 'Continue to the payment page', 'You enter your payment details there.', {
      next: nextUrl,
      link: 'Continue',
    });
  }
  if (status === 'open' && parts.isUnread) {
    const text =
      'The payment service does not answer at the moment. Check again soon: nothing is charged twice.';
    return message(parts, 'One moment', text, { url: '', link: 'Check again' });
  }
  if (status === 'open') return openPage(parts);
  return closedPage(parts);
}

function openPage(parts: CheckoutPageParts): string {
  const { checkout, summary } = parts;
  const title = titles[checkout.type];
  const what =
    summary?.lines.length === 1 && checkout.type !== 'activate_subscription'
      ? (summary.lines[0]?.description ?? title)
      : title;
  const due = summary ? dueNow(summary) : 0;
  const payLabel =
    summary && due > 0 ? `Pay ${moneyText(due, summary.currency)}` : usualButton(checkout);
  const button = parts.isSandbox ? payLabel : 'Continue to payment';
  const { cancelUrl = null } = checkout;
  const form = formPart({ ...parts, button, cancelUrl });
  if (!summary) return shell(parts, title, html`<h1>${title}</h1>${form}`);
  return shell(parts, title, html`${summaryPart(what, summary)}${form}`, 'wide');
}

const usualButton = ({ type }: CheckoutSession) =>
  type === 'add_payment_method' ? 'Add payment method' : 'Confirm';

function closedPage(parts: CheckoutPageParts): string {
  const { checkout, status, actionUrl, ending } = parts;
  if (status === 'succeeded') {
    const next = successUrl(checkout);
    return message(parts, 'Thank you', doneText(checkout), { next, link: 'Continue' });
  }
  if (status === 'pending') {
    if (actionUrl) {
      const text = 'Your bank asks you to confirm the payment. Nothing is charged before that.';
      return message(parts, 'Confirm the payment', text, { url: actionUrl, link: 'Confirm' });
    }
    const isCard = checkout.paymentMethodType === 'card';
    const days = isCard ? '' : ' Your bank needs some days for it.';
    const text = `The payment is being executed.${days} You can close this page: nothing is charged twice.`;
    const title = isCard ? 'One moment' : 'Payment in progress';
    return message(parts, title, text, { url: '', link: 'Check again' });
  }
  const text =
    status === 'expired'
      ? 'Nothing was charged. Return to the shop and start again.'
      : `${(ending ?? 'This checkout cannot be completed any more').replace(/\.$/, '')}. Return to the shop and start again.`;
  const title = status === 'expired' ? 'This checkout has expired' : 'This checkout has failed';
  return message(parts, title, text, { url: checkout.cancelUrl, link: 'Return' });
}

/** The page while the taxes of a checkout cannot be computed. */
export const untaxedPage = () =>
  htmlPage({
    title: 'The price cannot be computed now',
    style,
    body: html`<main class="narrow"><section aria-labelledby="state">
        <h1 id="state">The price cannot be computed now</h1>
        <p>The taxes are unknown at the moment. You have paid nothing. Load the page again in a minute.</p>
      </section></main>`,
  });

/** The page for an address that leads to no checkout session. It tells nothing about any. */
export const unknownPage = () =>
  htmlPage({
    title: 'There is no such checkout',
    style,
    body: html`<main class="narrow"><section aria-labelledby="state">
        <h1 id="state">There is no such checkout</h1>
        <p>Open the address as you have received it, or return to the shop and start again.</p>
      </section></main>`,
  });

const doneText = ({ type }: CheckoutSession) =>
  type === 'add_payment_method'
    ? 'The payment method was added.'
    : 'Your order is complete, and this checkout cannot be paid again.';

/** The address after completion, with the id of the session. */
export function successUrl({ id, successUrl }: CheckoutSession): string | null {
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

function message(parts: CheckoutPageParts, title: string, text: string, { url, next, link }: Link) {
  const href = url === '' ? '' : address(next ?? url);
  const body = html`<section aria-labelledby="state">
        <h1 id="state">${title}</h1>
        <p role="status" dir="auto">${text}</p>
        ${href !== null && html`<p><a class="button" href="${href}">${link}</a></p>`}
      </section>`;
  return shell(parts, title, body, 'narrow', address(next));
}

function shell(
  { seller, checkout }: CheckoutPageParts,
  title: string,
  content: Html,
  width: 'wide' | 'narrow' = 'narrow',
  next: string | null = null,
) {
  const body = html`${brandHeader({ name: seller }, checkout.livemode)}
    <main class="${width}">${content}</main>`;
  return htmlPage({ title: `${title} – ${seller}`, style, next, body });
}
