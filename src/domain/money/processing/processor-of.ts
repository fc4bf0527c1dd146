import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import type { PaymentProcessor } from '#domain/money/processing/port/payment-processor.ts';
import { sandboxProcessor } from '#domain/money/processing/sandbox/sandbox-processor.ts';
import { connectedAccount, processorOfAccount } from './connected-account.ts';

/** The processor that knows an object, and the account there; payments and payment methods store both. */
export interface ProcessorName {
  readonly processor: string;
  readonly processorAccountId?: string | null | undefined;
}

const unconfigured = () =>
  new DomainError(
    'BAD_REQUEST',
    'No payment processor is connected for this mode: connect one with connectProcessor',
  );

/**
 * The processor of new payment methods in a session's mode: the connected account, otherwise the sandbox in test mode.
 * Errors: BAD_REQUEST in live mode without a connected account.
 */
export async function defaultProcessorName(session: Session): Promise<ProcessorName> {
  const account = await connectedAccount(session);
  if (account) return { processor: account.kind, processorAccountId: account.id };
  if (!session.livemode) return { processor: 'sandbox', processorAccountId: null };
  throw unconfigured();
}

/**
 * The adapter of a processor; that of the session's mode when none is named. A dry run moves no money, so the sandbox
 * plans it. Errors: BAD_REQUEST for one that is not connected.
 */
export async function processorOf(
  session: Session,
  known?: ProcessorName,
): Promise<PaymentProcessor> {
  const { processor, processorAccountId } = known ?? (await defaultProcessorName(session));
  if (processor === 'sandbox' && !session.livemode) return sandboxProcessor;
  const { organizationId, livemode } = session;
  const connected = {
    id: processorAccountId ?? '',
    organizationId,
    livemode,
    disconnectedAt: null,
  };
  const account = await session.em.findOne(ProcessorAccount, connected);
  if (!account) throw unconfigured();
  return session.dryRun ? sandboxProcessor : processorOfAccount(account);
}
