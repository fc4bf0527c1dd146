import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { connectedAccount, processorOfAccount } from './connected-account.ts';
import type { ProcessorCharges } from './payment-processor.ts';
import { sandboxProcessor } from './sandbox/sandbox-processor.ts';

/**
 * The processor of a session's mode: the connected account, otherwise the sandbox in test mode. A dry run moves no money,
 * so the sandbox plans it. Errors: BAD_REQUEST in live mode without a connected account.
 */
export async function processorOf(session: Session): Promise<ProcessorCharges> {
  const account = await connectedAccount(session);
  if (account && !session.dryRun) return processorOfAccount(account);
  if (account || !session.livemode) return sandboxProcessor;
  throw new DomainError(
    'BAD_REQUEST',
    'No payment processor is connected in live mode: connect one with connectProcessor',
  );
}
