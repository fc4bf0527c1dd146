import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/model/money/payment.ts';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { deleteEndpoint } from '#domain/money/processing/stripe/endpoint.ts';

export const disconnectProcessorInput = z.object({ id: z.string() });

/**
 * Disconnects an account and erases its secrets. Its references stay, so that a later connection continues with them.
 * Errors: NOT_FOUND; CONFLICT while payments of it are not decided.
 */
export async function disconnectProcessor(
  session: Session,
  { id }: z.output<typeof disconnectProcessorInput>,
): Promise<ProcessorAccount> {
  const { account, secretKey, endpoint } = await command(session, async ({ em, now }) => {
    const account = await em.findOneOrFail(ProcessorAccount, id, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    const endpoint = account.endpointReference;
    if (!account.isConnected) return { account, secretKey: null, endpoint };
    const open = await em.count(
      Payment,
      { processorAccountId: id, status: { $in: [...pendingPaymentStatuses] } },
      { filters: { tenant: false } },
    );
    if (open > 0) throw stillOpen(open);
    const secretKey = account.openSecretKey();
    account.disconnect(now);
    await em.flush();
    return { account, secretKey, endpoint };
  });
  if (secretKey && endpoint && !session.dryRun) {
    await deleteEndpoint(secretKey, endpoint).catch((error) => report(session, id, error));
  }
  return account;
}

const stillOpen = (count: number) =>
  new DomainError(
    'CONFLICT',
    `${count} payments of this account are not decided yet: wait until they are, so that none is charged twice`,
    { reason: 'INVALID_STATE' },
  );
