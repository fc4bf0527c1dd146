import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '#domain/kernel/ids.ts';
import type { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import type { ProcessorEvent } from '#domain/model/money/processor-event.ts';
import type { ProcessorNotice } from '#domain/money/processing/port/processor-objects.ts';

/** Stores events as work to be done, each once. Returns how many were new. */
export async function storeNotices(
  em: EntityManager,
  account: Pick<ProcessorAccount, 'id'>,
  notices: readonly ProcessorNotice[],
  source: ProcessorEvent['source'],
  now: Date,
): Promise<number> {
  const rows = notices.map((notice) => ({
    id: newId('processor_event'),
    event_id: notice.id,
    type: notice.type,
    object: notice.object,
    reference: notice.reference,
    payment_id: notice.paymentId,
    occurred_at: notice.createdAt,
  }));
  const stored = await em.execute(
    `insert into processor_event (id, organization_id, processor_account_id, event_id, type, object, reference, payment_id, source,
       occurred_at, received_at, due_at)
     select notice.id, account.organization_id, account.id, event_id, type, object, reference, payment_id, ?, occurred_at, ?, ?
     from processor_account account, jsonb_to_recordset(?::jsonb) as notice (id text, event_id text, type text, object text, reference text,
       payment_id text, occurred_at timestamptz)
     where account.id = ? on conflict (processor_account_id, event_id) do nothing returning id`,
    [source, now, now, JSON.stringify(rows), account.id],
  );
  return stored.length;
}
