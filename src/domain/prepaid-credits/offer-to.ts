import type { Customer } from '#domain/customers/customer.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { PrepaidOffer } from '#domain/organizations/prepaid-offer.ts';
import { likelyCurrency } from '#domain/rules/invoicing/agree-on-currency.ts';
import { settingsOf } from '#domain/rules/reads/settings-of.ts';

/** The prepaid credit that a customer may buy itself; null where it may buy none in its currency. */
export async function offerTo(session: Session, customer: Customer): Promise<PrepaidOffer | null> {
  const { customersMayBuyCredit, prepaidOffers } = await settingsOf(session);
  if (!customersMayBuyCredit || customer.archived) return null;
  const currency = await likelyCurrency(session, customer);
  return prepaidOffers.find((offer) => offer.currency === currency) ?? null;
}
