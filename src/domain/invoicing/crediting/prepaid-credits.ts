import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { PrepaidCreditUse } from '#domain/model/money/prepaid-credit-use.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { unreturned } from './amount-paid.ts';

const endOf = ({ expiresAt }: PrepaidCredit) => expiresAt?.getTime() ?? Number.MAX_VALUE;

/** The order in which prepaid credits are used, that of usage credits: lowest priority number, earliest expiry, oldest. */
const soonestFirst = (a: PrepaidCredit, b: PrepaidCredit) =>
  a.priority - b.priority ||
  endOf(a) - endOf(b) ||
  a.createdAt.getTime() - b.createdAt.getTime() ||
  a.position - b.position;

/** Applies the expiries of a credit of a locked customer that are due. */
export function expireCredit({ now }: Session, customer: Customer, credit: PrepaidCredit) {
  customer.prepaidBalance -= credit.expireBy(now);
}

/** The prepaid credits of a locked customer that can pay now, in the order of use. Those that are due expire. */
export async function usableCredits(
  session: Session,
  customer: Customer,
): Promise<PrepaidCredit[]> {
  const left = { customer: customer.id, remaining: { $gt: 0 } };
  const credits = await session.em.find(PrepaidCredit, left, { refresh: true });
  for (const credit of credits) expireCredit(session, customer, credit);
  return credits.filter(({ remaining }) => remaining > 0).toSorted(soonestFirst);
}

/**
 * Pays an open invoice from the prepaid credits of a locked customer, up to an amount. An invoice that buys prepaid
 * credit is not paid by it. Returns the amount that was paid.
 */
export async function usePrepaid(
  session: Session,
  customer: Customer,
  invoice: Invoice,
  upTo: number,
): Promise<number> {
  if (customer.prepaidBalance === 0 || upTo <= 0 || invoice.prepaidCreditId) return 0;
  const { em } = session;
  // A new invoice gets its id here, and rows that are read again lose no change.
  await em.flush();
  const credits = await usableCredits(session, customer);
  const uses = await em.find(PrepaidCreditUse, { invoice: invoice.id }, { refresh: true });
  let left = upTo;
  for (const credit of credits) {
    const amount = Math.min(left, credit.remaining);
    if (amount === 0) break;
    left -= amount;
    credit.use(amount);
    const known = uses.find(({ creditId }) => creditId === credit.id);
    if (known) known.amount += amount;
    else em.create(PrepaidCreditUse, { credit, invoice, amount });
  }
  const paid = upTo - left;
  customer.prepaidBalance -= paid;
  invoice.creditApplied += paid;
  invoice.prepaidApplied += paid;
  await em.flush();
  return paid;
}

/** The uses of prepaid credits by an invoice that were not returned, the last one first. */
export async function keptUses({ em }: Session, invoice: Invoice): Promise<PrepaidCreditUse[]> {
  if (invoice.prepaidApplied === 0) return [];
  await em.flush();
  const of = { invoice: invoice.id };
  const uses = await em.find(PrepaidCreditUse, of, { populate: ['credit'], refresh: true });
  return uses
    .filter(({ kept }) => kept > 0)
    .toSorted((a, b) => soonestFirst(b.credit.unwrap(), a.credit.unwrap()));
}

const sumOf = (uses: readonly PrepaidCreditUse[]) => uses.reduce((sum, { kept }) => sum + kept, 0);

/** The amount of an invoice that prepaid credits pay and have not got back, in minor units. */
export const keptPrepaid = async (session: Session, invoice: Invoice): Promise<number> =>
  sumOf(await keptUses(session, invoice));

/** Returns an amount to a credit of a locked customer. It expires with a credit that has expired. */
function putBack(session: Session, customer: Customer, credit: PrepaidCredit, amount: number) {
  expireCredit(session, customer, credit);
  customer.prepaidBalance += credit.putBack(amount);
  expireCredit(session, customer, credit);
}

/**
 * Undoes the uses of prepaid credits of a locked customer by an invoice, up to `most`: each has exactly its amount again.
 * Credit notes may have returned a part before, also to the credit balance. Returns the amount.
 */
export async function unusePrepaid(
  session: Session,
  customer: Customer,
  invoice: Invoice,
  most: number,
): Promise<number> {
  let back = 0;
  for (const use of await keptUses(session, invoice)) {
    const part = Math.min(use.kept, most - back);
    if (part === 0) break;
    back += part;
    use.amount -= part;
    putBack(session, customer, use.credit.unwrap(), part);
  }
  invoice.prepaidApplied -= back;
  invoice.creditApplied -= back;
  await session.em.flush();
  return back;
}

/** Uses a part of a credit again, of which an invoice gives up an amount. Returns the part. */
export type UsedAgain = (use: PrepaidCreditUse, amount: number) => Promise<number>;

/**
 * Credits a locked customer with an amount of an invoice, for which a credit note was written. The money that was used
 * last returns first: the balance gets what payments and the balance have paid, and prepaid credits get the rest.
 * `usedAgain` uses a part of that at once for another invoice, and returns the part.
 */
export async function creditFor(
  session: Session,
  customer: Customer,
  invoice: Invoice,
  amount: number,
  usedAgain: UsedAgain = async () => 0,
) {
  const uses = await keptUses(session, invoice);
  const staysPaid = uses.length > 0 ? await unreturned(session, invoice) : 0;
  let left = Math.min(amount, Math.max(0, sumOf(uses) - Math.max(0, staysPaid)));
  customer.creditBalance += amount - left;
  for (const use of uses) {
    const part = Math.min(left, use.kept);
    if (part === 0) break;
    left -= part;
    use.returned += part;
    const again = await usedAgain(use, part);
    putBack(session, customer, use.credit.unwrap(), part - again);
  }
}

/** The amount that prepaid credits of a customer can pay at an instant, in minor units, without changing them. */
export async function prepaidAt({ em, now }: Session, customer: Customer): Promise<number> {
  if (customer.prepaidBalance === 0) return 0;
  const left = { customer: customer.id, remaining: { $gt: 0 } };
  const credits = await em.find(PrepaidCredit, left, { disableIdentityMap: true });
  for (const credit of credits) credit.expireBy(now);
  return credits.reduce((sum, { remaining }) => sum + remaining, 0);
}
