import { IsolationLevel } from '@mikro-orm/core';
import { AnswerNeeded, mostAnswers } from '#domain/kernel/answer-needed.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { InvoiceLineItem } from '#domain/model/invoicing/invoice-line-item.ts';
import { afreshAtPresent } from '#domain/platform/locks/fresh-session.ts';

/** The next invoice of a subscription; no row of it is stored. */
export interface UpcomingInvoice {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly invoice: Invoice;
  readonly lines: readonly InvoiceLineItem[];
  /** The present of the subscription. */
  readonly asOf: Date;
}

/** The rows that a rehearsal copies: those of a customer, and of one of its subscriptions or of all. */
interface Copied {
  readonly customerId: string;
  /** Null for all subscriptions of the customer. */
  readonly subscriptionId: string | null;
  /** The number of answers of another service that it may need. */
  readonly answers?: number;
}

const attempts = 3;

/**
 * Executes work that bills, within a transaction that is rolled back. It writes copies of the rows, so that no usage
 * waits for it; only claims that lapse by then are locked. Errors: those of the work.
 */
export async function rehearseBilling<T>(
  session: Session,
  { customerId, subscriptionId, answers: most = mostAnswers }: Copied,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const rollback = new Error('The rehearsal of billing has ended');
  const present = asJob(await afreshAtPresent(session));
  let answers = 0;
  for (let attempt = 1; ; attempt++) {
    let done: { readonly result: T } | undefined;
    try {
      // One snapshot: the copies and the usage events that are read with them agree.
      await present.em.transactional(
        async (em) => {
          await em.execute('select rehearse_subscription(?, ?)', [subscriptionId, customerId]);
          done = { result: await work({ ...present, em }) };
          throw rollback;
        },
        { isolationLevel: IsolationLevel.REPEATABLE_READ },
      );
    } catch (error) {
      if (error === rollback && done) return done.result;
      if (error instanceof AnswerNeeded && !present.em.isInTransaction()) {
        if (answers === most) throw error.unanswered;
        await error.ask();
        answers += 1;
        attempt -= 1;
        continue;
      }
      if (attempt === attempts || !hasChangedMeanwhile(error)) throw error;
    }
  }
}

/** An event that a line leaves out was changed after the snapshot. */
const hasChangedMeanwhile = (error: unknown) => (error as { code?: string }).code === '40001';

/** A session that sees what billing sees, whichever rows the caller may read. */
function asJob({ em, organizationId, livemode, pricingModelId, now, actor }: Session): Session {
  const tenant = { organizationId, livemode, pricingModelId, keyType: 'secret' } as const;
  return openSession(em, { ...tenant, now, actor, dryRun: true });
}
