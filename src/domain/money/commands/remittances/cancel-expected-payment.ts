import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { textInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Remittance } from '#domain/model/money/remittance.ts';

export const cancelExpectedPaymentInput = z.object({ id: z.string(), reason: textInput.nullish() });

/**
 * Cancels a payment that is not expected any longer; its reference is free again. A canceled one is returned as it is.
 * Errors: NOT_FOUND; BAD_REQUEST for one that was received.
 */
export function cancelExpectedPayment(
  session: Session,
  { id, reason }: z.output<typeof cancelExpectedPaymentInput>,
): Promise<Remittance> {
  return command(session, async ({ em }) => {
    const remittance = await em.findOneOrFail(Remittance, id, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    if (remittance.status === 'canceled') return remittance;
    if (remittance.status !== 'expected') {
      const message = `${id} is ${remittance.status}: only an expected payment can be canceled`;
      throw invalid('INVALID_STATE', 'id', message);
    }
    remittance.status = 'canceled';
    remittance.reason = reason ?? null;
    return remittance;
  });
}
