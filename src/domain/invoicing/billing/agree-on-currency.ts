import { defaultCurrency } from '#domain/catalog/currency.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** The currency that a locked customer pays in, or would owe; undefined while it may pay in any. */
export const agreedCurrency = (
  customer: Customer,
  subscriptions: readonly Subscription[],
): string | undefined =>
  customer.currency ?? subscriptions.find(commitsByPrice)?.currency ?? undefined;

/** The currency of the next payment of a customer: that it pays in, or would owe, else the default. Locks nothing. */
export async function likelyCurrency(session: Session, customer: Customer): Promise<string> {
  if (customer.currency != null) return customer.currency;
  const subscriptions = await session.em.find(
    Subscription,
    { customer: customer.id },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  );
  return agreedCurrency(customer, subscriptions) ?? defaultCurrency(session);
}

/** Why a locked customer cannot pay in a currency, with the next step; undefined when it can. */
export async function currencyConflict(
  session: Session,
  customer: Customer,
  subscriptions: readonly Subscription[],
  currency: string,
): Promise<string | undefined> {
  if (customer.currency === currency) return undefined;
  if (customer.currency != null) {
    return conflict(customer, customer.currency, currency, 'which its first invoice has fixed');
  }
  const others = subscriptions.filter((one) => one.currency !== currency);
  const subscribed = others.find(commitsByPrice);
  if (subscribed) {
    return conflict(customer, subscribed.currency, currency, `the currency of ${subscribed.id}`);
  }
  const owing = await withPricedUsage(session, others);
  if (owing === undefined) return undefined;
  const used = others.find(({ id }) => id === owing);
  return used && conflict(customer, used.currency, currency, `the currency of usage of ${used.id}`);
}

/**
 * The currency of a new amount of a locked customer: the named one, else that it pays in, else the default. Errors:
 * BAD_REQUEST at `path` for another one than the customer's.
 */
export async function payingCurrency(
  session: Session,
  customer: Customer,
  named: string | null | undefined,
  path: string,
): Promise<string> {
  if (customer.currency != null && (named ?? customer.currency) === customer.currency)
    return customer.currency;
  const subscriptions = await lockSubscriptionsOf(session, customer.id);
  const currency =
    named ?? agreedCurrency(customer, subscriptions) ?? (await defaultCurrency(session));
  const why = await currencyConflict(session, customer, subscriptions, currency);
  if (why) throw invalid('MISMATCH', path, why);
  followCurrency(subscriptions, currency);
  return currency;
}

/** Moves the free subscriptions of a locked customer, which owe nothing, to the currency that it now pays in. */
export function followCurrency(subscriptions: readonly Subscription[], currency: string) {
  for (const one of subscriptions) {
    if (one.isFreePlan && one.currency !== currency) one.currency = currency;
  }
}

/** Whether a subscription charges its price, now or later. */
const commitsByPrice = ({ isFreePlan, isTerminal }: Subscription) => !isFreePlan && !isTerminal;

const conflict = ({ id }: Customer, present: string, wanted: string, why: string) =>
  `is in ${wanted}, and customer ${id} pays in ${present}, ${why}: use ${present}, or another customer`;

/** One of these subscriptions that has used something at a price, and has not been billed for it. */
async function withPricedUsage({ em }: Session, subscriptions: readonly Subscription[]) {
  if (subscriptions.length === 0) return undefined;
  const ids = (isTerminal: boolean) =>
    subscriptions.flatMap((one) => (one.isTerminal === isTerminal ? one.id : []));
  const [found] = await statement<{ id: string }>(
    em,
    'priced usage',
    `select b.subscription_id as id from usage_meter_balance b
     where b.subscription_id = any($1::text[]) and exists (
         select from usage_total t join price p on p.id = t.price_id
         where t.balance_id = b.id and t.usage <> 0 and p.unit_price > 0)
       or b.subscription_id = any($2::text[]) and exists (
         select from owed_usage o join price p on p.id = o.price_id
         where o.balance_id = b.id and o.invoice_line_item_id is null and p.unit_price > 0)
     limit 1`,
    [ids(false), ids(true)],
  );
  return found?.id;
}
