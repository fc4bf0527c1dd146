import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '#domain/kernel/ids.ts';
import type { ProcessorNotice } from '#domain/rules/processing/processor-objects.ts';
import { noticeOf, type StripeEvent } from '#domain/rules/processing/stripe/notices.ts';
import { verifiedEvent } from '#domain/rules/processing/stripe/signature.ts';
import { ProcessorAccount, type ProcessorKind } from './processor-account.ts';
import type { ProcessorEvent } from './processor-event.ts';

/** A request of a processor, as it arrived. */
export interface ReceivedNotice {
  readonly kind: ProcessorKind;
  readonly organizationId: string;
  readonly body: Uint8Array;
  readonly signature: string | null;
}

/** The consequence of a request: only `accepted` stores an event. */
export type Reception = 'accepted' | 'ignored' | 'refused' | 'unknown';

/**
 * Stores a signed event of a processor as work to be done; a repetition changes nothing. The event itself is not
 * applied: its object is read later. An organization without an account that receives notices is unknown.
 */
export async function receiveNotice(
  em: EntityManager,
  { kind, organizationId, body, signature }: ReceivedNotice,
  now: Date,
): Promise<Reception> {
  const accounts = await em.find(
    ProcessorAccount,
    { kind, organizationId, disconnectedAt: null, receivesNotices: true },
    { filters: { tenant: false } },
  );
  if (accounts.length === 0) return 'unknown';
  for (const account of accounts) {
    const event = await verifiedEvent(body, signature, account.openWebhookSecrets(now), now);
    if (!event) continue;
    if (!isOf(account, event)) return 'refused';
    const notice = noticeOf(event);
    if (notice.object === 'other') return 'ignored';
    await storeNotices(em, account, [notice], 'webhook', now);
    return 'accepted';
  }
  return 'refused';
}

/** Whether an event belongs to the mode and the account whose secret has signed it. */
const isOf = (account: ProcessorAccount, { livemode, account: sender }: StripeEvent) =>
  livemode === account.livemode && (sender == null || sender === account.accountReference);

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
    `insert into processor_event (id, processor_account_id, event_id, type, object, reference, payment_id, source,
       occurred_at, received_at, due_at)
     select id, ?, event_id, type, object, reference, payment_id, ?, occurred_at, ?, ?
     from jsonb_to_recordset(?::jsonb) as notice (id text, event_id text, type text, object text, reference text,
       payment_id text, occurred_at timestamptz)
     on conflict (processor_account_id, event_id) do nothing returning id`,
    [account.id, source, now, now, JSON.stringify(rows)],
  );
  return stored.length;
}
