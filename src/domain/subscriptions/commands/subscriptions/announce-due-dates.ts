import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import type { Announcement } from '#domain/model/subscriptions/announcement.ts';
import {
  announceDate,
  announcedFrom,
  announcements,
} from '#domain/subscriptions/lifecycle/announce-date.ts';

const pageSize = 100;

/**
 * Announces the ends of trials and the yearly charges that are due to be announced, of every tenant. Test clocks are
 * excluded. Returns the number.
 */
export async function announceDueDates(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<number> {
  let count = 0;
  for (const announcement of Object.keys(announcements) as Announcement[]) {
    count += await forEachDue(
      { em, now, causeId, onFailure },
      { page: (last) => duePage(em, announcement, now, last?.id ?? ''), pageSize },
      (session, { id }) => announceDate(session, id, announcement),
    );
  }
  return count;
}

function duePage(em: EntityManager, announcement: Announcement, now: Date, after: string) {
  const announced = announcements[announcement];
  // A date in the past is not announced: its event would come after that of the date itself.
  return em.execute<DueRow[]>(
    `select s.id, s.organization_id as "organizationId", s.pricing_model_id as "pricingModelId", s.livemode
     from subscription s join mail_settings m on m.organization_id = s.organization_id and m.livemode = s.livemode
     where s.test_clock_id is null and ${announced.isDue} and ${announced.date} > ?
       and ${announcedFrom(announced)} <= ? and s.id > ? order by s.id limit ${pageSize}`,
    [now, now, after],
  );
}
