import { z } from 'zod';
import { payingCurrency } from '#domain/invoicing/billing/agree-on-currency.ts';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { amountInput, countInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { currencyInput } from '#domain/kernel/values/currencies.ts';
import { largestCredit, mostValidDays } from '#domain/model/money/prepaid-credit.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';

export const prepaidTopUpFields = {
  threshold: amountInput.max(largestCredit),
  amount: countInput.max(largestCredit),
  mostPerMonth: countInput.max(largestCredit),
};

export const createPrepaidTopUpInput = z.object({
  prepaidTopUp: z
    .object({
      customerId: z.string(),
      currency: currencyInput.nullish(),
      validDays: countInput.max(mostValidDays).nullish(),
      ...prepaidTopUpFields,
    })
    .refine(
      ({ amount, mostPerMonth }) => mostPerMonth >= amount,
      coded('OUT_OF_RANGE', 'mostPerMonth', 'must be at least the amount of a purchase'),
    ),
});

/**
 * Creates a top-up of the prepaid balance of a customer. If little remains already, it buys within seconds. Errors:
 * BAD_REQUEST for an unknown or archived customer, another currency than the customer's, and a second active top-up.
 */
export function createPrepaidTopUp(
  session: Session,
  { prepaidTopUp: wanted }: z.output<typeof createPrepaidTopUpInput>,
): Promise<PrepaidTopUp> {
  return command(session, async (session) => {
    const { customerId, threshold, amount, mostPerMonth, validDays } = wanted;
    const path = 'prepaidTopUp.customerId';
    const locked = await lockCustomer(session, { id: customerId });
    if (!locked) throw invalid('NOT_FOUND', path, `Unknown customer ${customerId}`);
    const { customer, session: atLock } = locked;
    if (customer.archived) throw invalid('ARCHIVED', path, `${customerId} is archived`);
    const field = 'prepaidTopUp.currency';
    const currency = await payingCurrency(atLock, customer, wanted.currency, field);
    customer.currency ??= currency;
    const topUp = atLock.em.create(PrepaidTopUp, {
      customer,
      currency,
      threshold,
      amount,
      mostPerMonth,
      validDays: validDays ?? null,
      problem: null,
      month: null,
      pendingCreditId: null,
      waitsUntil: null,
    });
    await atLock.em.flush();
    return topUp;
  });
}
