import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import {
  announceExpiry,
  expiryAnnouncedFrom,
  isExpiryDue,
} from '#domain/money/collection/announce-expiry.ts';

const pageSize = 100;

/**
 * Announces the expiries of cards that are charged, of every tenant. Test clocks are excluded. Returns the number.
 */
export const announceExpiries = (
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> =>
  forEachDue(
    { em, now, causeId, onFailure },
    { page: (last) => duePage(em, now, last?.id ?? ''), pageSize },
    (session, { id }) => announceExpiry(session, id),
  );

const duePage = (em: EntityManager, now: Date, after: string) =>
  em.execute<DueRow[]>(
    `select p.id, p.organization_id as "organizationId", p.pricing_model_id as "pricingModelId", p.livemode
     from payment_method p join customer c on c.id = p.customer_id
       join mail_settings m on m.organization_id = p.organization_id and m.livemode = p.livemode
     where c.test_clock_id is null and ${isExpiryDue} and p.expires_on > ? and ${expiryAnnouncedFrom} <= ? and p.id > ?
     order by p.id limit ${pageSize}`,
    [now, now, after],
  );
