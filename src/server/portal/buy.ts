import { isOffered, type PrepaidOffer } from '#domain/model/platform/prepaid-offer.ts';
import type { Attempt } from '#rest/engine/attempt.ts';
import { address } from '../pages/html.ts';
import { messages } from './actions.ts';
import { amountsPage, type Refused } from './amounts-page.ts';
import { refusalOf } from './executor.ts';
import { leavePage } from './leave-page.ts';
import * as operations from './operations.ts';
import { type Problem, purchasePage } from './purchase-page.ts';
import { typedAmount } from './typed-amount.ts';
import { unpaidOf, unpaidPage } from './unpaid-page.ts';
import { type Answer, billingOf, formsOf, toHome, type Visit } from './visit.ts';

/** The amount that a page has asked for: a fixed one in minor units, or `own` with a typed text. */
interface Asked {
  readonly amount: string | null;
  readonly own?: string;
}

/** The choice of an amount of prepaid credit, the charge of the chosen one, or the purchase that is not paid yet. */
export function chooseCredit(visit: Visit): Promise<Answer> {
  const { searchParams } = visit.url;
  const asked = { amount: searchParams.get('amount'), own: searchParams.get('own') ?? '' };
  return purchase(visit, asked);
}

async function purchase(visit: Visit, asked: Asked, problem?: Problem): Promise<Answer> {
  const billing = await billingOf(visit);
  const forms = formsOf(visit);
  const done = messages[visit.url.searchParams.get('done') ?? ''];
  const shown = { ...forms, billing, done, problem };
  const order = unpaidOf(billing);
  if (order) return { body: unpaidPage({ ...shown, order }) };
  const { prepaidOffer: offer } = billing;
  if (!offer || !forms.may('payments_write')) return toHome(visit, 'not-for-sale');
  if (asked.amount === null) return { body: amountsPage({ ...shown, offer }) };
  const amount = amountOf(asked, offer, visit);
  if (typeof amount !== 'number')
    return { status: 400, body: amountsPage({ ...shown, offer, refused: amount }) };
  return { status: problem?.status ?? 200, body: purchasePage({ ...shown, offer, amount }) };
}

function amountOf(asked: Asked, offer: PrepaidOffer, { wording }: Visit): number | Refused {
  const typed = asked.own ?? '';
  const isOwn = asked.amount === 'own';
  const amount = isOwn ? typedAmount(typed, offer.currency, wording.locale) : Number(asked.amount);
  if (amount !== undefined && isOffered(offer, amount)) return amount;
  return isOwn ? { field: 'own', typed, isReadable: amount !== undefined } : { field: 'amount' };
}

interface Bought {
  readonly status: string;
  readonly invoice: {
    readonly paymentActionUrl: string | null;
    readonly paymentsPage: {
      readonly nodes: readonly { readonly failureMessage: string | null }[];
    };
  };
}

/** Buys the credit of a form, and leads to the confirmation of its payment, or to the invoice that is to be paid. */
export async function buyCredit(
  visit: Visit,
  form: URLSearchParams,
  attempt: Attempt,
): Promise<Answer> {
  const asked = { amount: form.get('amount') };
  const prepaidCredit = {
    ...{ customerId: visit.context.customerId, amount: Number(asked.amount) },
    ...{ currency: form.get('currency'), paymentMethodId: form.get('method') },
  };
  let bought: Bought;
  try {
    const answer = await visit.execute<{ bought: { prepaidCredit: Bought } }>(
      operations.buyCredit,
      { prepaidCredit },
      attempt,
    );
    bought = answer.bought.prepaidCredit;
  } catch (error) {
    const refused = refusalOf(error);
    if (!refused || refused.status >= 429 || !formsOf(visit).may('payments_write')) throw error;
    return purchase(visit, asked, {
      text: 'refusedText',
      reason: refused.message,
      status: refused.status,
    });
  }
  const { status, invoice } = bought;
  if (status === 'active' || status === 'ended') return toHome(visit, 'bought');
  const confirmation = address(invoice.paymentActionUrl);
  if (confirmation)
    return { body: leavePage(await billingOf(visit), formsOf(visit), confirmation, 'payment') };
  if (status === 'void') {
    const reason = invoice.paymentsPage.nodes[0]?.failureMessage ?? '';
    return purchase(visit, asked, { text: 'notBought', reason, status: 402 });
  }
  return { status: 303, headers: { location: `${visit.base}/buy?done=ordered` } };
}
