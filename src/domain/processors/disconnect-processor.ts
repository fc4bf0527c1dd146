import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { deleteEndpoint } from '#domain/rules/processing/stripe/endpoint.ts';
import { ProcessorAccount } from './processor-account.ts';

export const disconnectProcessorInput = z.object({ id: z.string() });

/**
 * Disconnects an account and erases its secrets. Its references stay, so that a later connection continues with them.
 * Errors: NOT_FOUND.
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
