import type { Session } from '#domain/kernel/session.ts';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import type { PaymentProcessor } from '#domain/money/processing/port/payment-processor.ts';
import { ProcessorMisconfigured } from '#domain/money/processing/port/processor-errors.ts';
import { plainError } from '#domain/money/processing/stripe/failures.ts';
import { stripeProcessor } from '#domain/money/processing/stripe/stripe-processor.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';

/** The account that the organization has connected in the session's mode; null where there is none. */
export const connectedAccount = ({
  em,
  organizationId,
  livemode,
}: Pick<Session, 'em' | 'organizationId' | 'livemode'>): Promise<ProcessorAccount | null> =>
  em.findOne(ProcessorAccount, { organizationId, livemode, disconnectedAt: null });

/** The processor of a connected account. Each refusal of its key is noted, and the operator sees it in an event. */
export function processorOfAccount(account: ProcessorAccount): PaymentProcessor {
  const processor = stripeProcessor(account.openSecretKey());
  const functions = Object.entries(processor) as [string, Call][];
  return Object.fromEntries(
    functions.map(([name, call]) => [name, noting(account, call)]),
  ) as unknown as PaymentProcessor;
}

type Call = (session: Session, ...args: unknown[]) => Promise<unknown>;

const noting =
  ({ id, refusedAt }: ProcessorAccount, call: Call): Call =>
  async (session, ...args) => {
    try {
      const answer = await call(session, ...args);
      if (refusedAt) await note(session, id, null);
      return answer;
    } catch (error) {
      if (error instanceof ProcessorMisconfigured) await note(session, id, error.message);
      throw plainError(error);
    }
  };

/** Notes why the processor refuses an account, in a transaction of its own; null once it accepts it again. */
async function note(session: Session, id: string, reason: string | null) {
  const { em, now } = afresh(session);
  await em
    .fork({ clear: true, disableTransactions: false, keepTransactionContext: false })
    .transactional(async (em) => {
      const account = await em.findOne(ProcessorAccount, id);
      if (!account || account.refusedReason === reason) return;
      account.refusedReason = reason;
      account.refusedAt = reason === null ? null : (account.refusedAt ?? now);
    });
}
