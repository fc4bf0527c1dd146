import { z } from 'zod';
import { DomainError } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { instantInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { cancellationCredits } from '#domain/model/subscriptions/cancellation-credit.ts';

/** The timings of everything that ends now or with the running period. */
export const endTimings = ['immediately', 'at_end_of_current_billing_period'] as const;
/** When a subscription ends. */
export const cancellationTimings = [...endTimings, 'at_date'] as const;

const needsDate = 'is required where timing is at_date';
const hasNoDate = 'is allowed only where timing is at_date';
const nothingUnused =
  'must be none or absent where timing is at_end_of_current_billing_period: the period is used in full';

export const cancelSubscriptionInput = z.object({
  id: z.string(),
  cancellation: z
    .object({
      timing: z.enum(cancellationTimings),
      cancelAt: instantInput.nullish(),
      credit: z.enum(cancellationCredits).nullish(),
    })
    .refine(
      ({ timing, cancelAt }) => timing !== 'at_date' || cancelAt != null,
      coded('REQUIRED', 'cancelAt', needsDate),
    )
    .refine(
      ({ timing, cancelAt }) => timing === 'at_date' || cancelAt == null,
      coded('NOT_ALLOWED', 'cancelAt', hasNoDate),
    )
    .refine(
      ({ timing, credit }) =>
        timing !== 'at_end_of_current_billing_period' || (credit ?? 'none') === 'none',
      coded('NOT_ALLOWED', 'credit', nothingUnused),
    ),
});

export type CancelSubscriptionInput = z.output<typeof cancelSubscriptionInput>;
export type Cancellation = CancelSubscriptionInput['cancellation'];

/** Errors: FORBIDDEN for a customer that asks for unused time back, which the seller alone decides. */
export function requireOwnCancellation({ customerId }: Session, { credit }: Cancellation) {
  if (customerId === undefined || (credit ?? 'none') === 'none') return;
  throw new DomainError('FORBIDDEN', 'A customer token may not set credit: use a secret key', {
    issues: [
      {
        code: 'FORBIDDEN',
        path: ['cancellation', 'credit'],
        message: 'is set by the seller: leave it out',
      },
    ],
  });
}
