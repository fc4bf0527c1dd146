import { LockMode } from '@mikro-orm/core';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import type { OrganizationSettings } from '#domain/model/platform/organization-settings.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * Changes the default currency of the organization, in both modes, with that of its free prices and subscriptions.
 * The feed shows it in the mode of the session.
 * Errors: BAD_REQUEST once a price or an invoice has an amount.
 */
export async function changeCurrency(
  session: Session,
  settings: OrganizationSettings,
  currency: string,
): Promise<void> {
  const { em, organizationId, now } = session;
  const organization = await lockOrganization(session);
  const before = organization.currency;
  if (before === currency) return;
  const priced = await firstPriced(session);
  if (priced) {
    throw invalid(
      'IMMUTABLE',
      'organization.currency',
      `cannot change from ${before} to ${currency}, since ${priced} has an amount: name ${currency} in each new price instead`,
    );
  }
  organization.currency = currency;
  // The default is that of both modes and of all pricing models.
  const prices = await em.find(Price, { organizationId }, { filters: { tenant: false } });
  for (const price of prices) price.currency = currency;
  settings.emitCurrency(currency, now);
  await em.flush();
  // Without a price above 0 all subscriptions are free.
  await statement(
    em,
    'currency of free subscriptions',
    `update subscription set currency = $2
     where pricing_model_id in (select id from pricing_model where organization_id = $1) and currency <> $2`,
    [organizationId, currency],
  );
}

/** Locks the organization against new amounts in its default currency. */
export const lockOrganization = ({ em, organizationId }: Session) =>
  em.findOneOrFail(Organization, organizationId, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });

/** A price or an invoice of the organization, in either mode, that has an amount. */
async function firstPriced({ em, organizationId }: Session): Promise<string | undefined> {
  const [found] = await statement<{ id: string }>(
    em,
    'priced records',
    `with model as (select id from pricing_model where organization_id = $1)
     (select id from price where pricing_model_id in (select id from model) and unit_price > 0 limit 1)
     union all (select id from invoice where pricing_model_id in (select id from model) limit 1)
     limit 1`,
    [organizationId],
  );
  return found?.id;
}
