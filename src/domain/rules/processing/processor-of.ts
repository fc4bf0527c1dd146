import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { PaymentProcessor } from './payment-processor.ts';
import { sandboxProcessor } from './sandbox/sandbox-processor.ts';

/** The processor that knows an object, and the account there; payments and payment methods store both. */
export interface ProcessorName {
  readonly processor: string;
  readonly processorAccountId?: string | null | undefined;
}

const unconfigured = () =>
  new DomainError(
    'BAD_REQUEST',
    'No payment processor is configured for the live mode: nothing can be charged there',
  );

/**
 * The processor of new payment methods in a session's mode. Errors: BAD_REQUEST in live mode, where none is
 * configured.
 */
export async function defaultProcessorName({ livemode }: Session): Promise<ProcessorName> {
  if (!livemode) return { processor: 'sandbox', processorAccountId: null };
  throw unconfigured();
}

/**
 * The adapter of a processor; that of the session's mode when none is named. Errors: BAD_REQUEST for one that is not
 * configured.
 */
export async function processorOf(
  session: Session,
  known?: ProcessorName,
): Promise<PaymentProcessor> {
  const { processor } = known ?? (await defaultProcessorName(session));
  if (processor === 'sandbox' && !session.livemode) return sandboxProcessor;
  throw unconfigured();
}
