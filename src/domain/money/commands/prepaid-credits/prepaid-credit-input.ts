import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { countInput } from '#domain/kernel/inputs/inputs.ts';
import { largestCredit, mostValidDays } from '#domain/model/money/prepaid-credit.ts';

const mostRollovers = 1_000;
const highestPriority = 100;

/** The fields of an order that decide when the credit is used and expires. */
export const prepaidTerms = {
  priority: z.int().min(0).max(highestPriority).nullish(),
  validDays: countInput.max(mostValidDays).nullish(),
  rollovers: countInput.max(mostRollovers).nullish(),
  rolloverLimit: countInput.max(largestCredit).nullish(),
};

interface Terms {
  readonly validDays?: number | null | undefined;
  readonly rollovers?: number | null | undefined;
  readonly rolloverLimit?: number | null | undefined;
}

/** Refuses a rollover of credit that is not valid for a number of days, and a limit without a rollover. */
export function requireTerms(
  { validDays, rollovers, rolloverLimit }: Terms,
  { addIssue }: z.core.$RefinementCtx,
) {
  const refuse = (field: string, message: string) =>
    addIssue({ code: 'custom', ...coded('INVALID', field, message) });
  if (rollovers != null && validDays == null) refuse('rollovers', 'needs validDays');
  if (rolloverLimit != null && rollovers == null) refuse('rolloverLimit', 'needs rollovers');
}
