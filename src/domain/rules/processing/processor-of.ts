import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { ProcessorCharges } from './payment-processor.ts';
import { sandboxProcessor } from './sandbox/sandbox-processor.ts';

/** The processor of a session's mode. Errors: BAD_REQUEST in live mode, where none is configured. */
export async function processorOf({ livemode }: Session): Promise<ProcessorCharges> {
  if (!livemode) return sandboxProcessor;
  throw new DomainError(
    'BAD_REQUEST',
    'No payment processor is configured for the live mode: nothing can be charged there',
  );
}
