import { likelyCurrency } from '#domain/invoicing/billing/agree-on-currency.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { PrepaidOffer } from '#domain/model/platform/prepaid-offer.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';

/** The prepaid credit that a customer may buy itself; null where it may buy none in its currency. */
export async function offerTo(session: Session, customer: Customer): Promise<PrepaidOffer | null> {
  const { customersMayBuyCredit, prepaidOffers } = await settingsOf(session);
  if (!customersMayBuyCredit || customer.archived) return null;
  const currency = await likelyCurrency(session, customer);
  return prepaidOffers.find((offer) => offer.currency === currency) ?? null;
}
