import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * Removes the content and the addresses of the mails of a customer, and drops those that are not sent. An attempt that
 * is in progress loses its claim, so that it writes nothing after the erasure. Returns the number of mails with content.
 */
export async function eraseMails({ em, now }: Session, customerId: string): Promise<number> {
  const rows = await statement<{ written: boolean }>(
    em,
    undefined,
    `update mail set sender = null, recipient = null, reply_to = null, subject = null, text = null, html = null,
       problem = null, attempts = '[]', claim = null, claimed_until = null, handed_over_at = null, next_attempt_at = null,
       status = case when mail.status = 'pending' then 'dropped' else mail.status end, updated_at = greatest(mail.updated_at, $2)
     from (select id, recipient is not null as written from mail where customer_id = $1
         and (status = 'pending' or claim is not null or recipient is not null or problem is not null) for update) as found
     where mail.id = found.id returning found.written`,
    [customerId, now],
  );
  return rows.filter(({ written }) => written).length;
}
