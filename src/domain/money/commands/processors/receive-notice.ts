import type { EntityManager } from '@mikro-orm/postgresql';
import { ProcessorAccount, type ProcessorKind } from '#domain/model/money/processor-account.ts';
import { noticeOf, type StripeEvent } from '#domain/money/processing/stripe/notices.ts';
import { verifiedEvent } from '#domain/money/processing/stripe/signature.ts';
import { storeNotices } from './store-notices.ts';

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
