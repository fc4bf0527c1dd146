import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import {
  announcePrepaidExpiry,
  expirePrepaid,
  isPrepaidExpiryDue,
  prepaidExpiryAnnouncedFrom,
} from '#domain/rules/invoicing/expire-prepaid.ts';

const pageSize = 100;
const tenant =
  'p.organization_id as "organizationId", p.pricing_model_id as "pricingModelId", p.livemode';

/**
 * Expires the prepaid credits of customers that no command has met since their expiry. The delay changes no result:
 * they pay nothing from that instant on. Test clocks are excluded. Returns the number of customers.
 */
export const expirePrepaidCredits = (
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> =>
  forEachDue(
    { em, now, causeId, onFailure },
    {
      page: (last) =>
        em.execute<DueRow[]>(
          `select distinct c.id, ${tenant} from prepaid_credit p join customer c on c.id = p.customer_id
           where p.remaining > 0 and p.expires_at <= ? and c.test_clock_id is null and c.id > ?
           order by c.id limit ${pageSize}`,
          [now, last?.id ?? ''],
        ),
      pageSize,
    },
    (session, { id }) => expirePrepaid(session, id),
  );

/** Announces the expiries of prepaid credits, of every tenant. Test clocks are excluded. Returns the number. */
export const announcePrepaidExpiries = (
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> =>
  forEachDue(
    { em, now, causeId, onFailure },
    {
      page: (last) =>
        em.execute<DueRow[]>(
          `select p.id, ${tenant} from prepaid_credit p join customer c on c.id = p.customer_id
             join mail_settings m on m.organization_id = p.organization_id and m.livemode = p.livemode
           where c.test_clock_id is null and ${isPrepaidExpiryDue} and p.expires_at > ?
             and ${prepaidExpiryAnnouncedFrom} <= ? and p.id > ? order by p.id limit ${pageSize}`,
          [now, now, last?.id ?? ''],
        ),
      pageSize,
    },
    (session, { id }) => announcePrepaidExpiry(session, id),
  );
