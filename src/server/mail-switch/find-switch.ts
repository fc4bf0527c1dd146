import type { MikroORM } from '@mikro-orm/postgresql';
import { openSession } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { mailSettingsOf } from '#domain/mail/commands/mails/mail-settings-of.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import type { MailSwitch } from '#domain/platform/access/mail-switch-link.ts';
import { settingsOf } from '#domain/platform/reads/settings-of.ts';

/** The customer at the page of a link, who needs no session. */
const actor = { type: 'system', id: 'mail-switch' } as const;

/**
 * The state of the kind of mails that a link switches, with a session of its tenant. Undefined for a customer that does
 * not exist any more or is erased, and for a link that was ended.
 */
export async function findSwitch(orm: MikroORM, { customerId, kind, epoch }: MailSwitch) {
  const now = await presentOf(orm.em);
  const anyTenant = { filters: { tenant: false } } as const;
  // The only read without a tenant: the signed link names the customer.
  const customer = await orm.em.fork().findOne(Customer, customerId, anyTenant);
  if (!customer || customer.erasedAt || customer.linkEpoch !== epoch) return undefined;
  const { organizationId, livemode, pricingModelId } = customer;
  const tenant = { organizationId, livemode, pricingModelId, keyType: 'secret' } as const;
  const session = openSession(orm.em, { ...tenant, now, clock: { latest: now }, actor });
  const { name, legalName, logo } = await settingsOf(session);
  return {
    session,
    livemode,
    kind,
    isOff: customer.mailsOff.includes(kind),
    language: customer.language ?? (await mailSettingsOf(session)).language,
    seller: { name: legalName ?? name, logo: (await logo?.loadOrFail()) ?? null },
  };
}
