import { command } from '#domain/kernel/command.ts';
import { enterPricingModel, type Session } from '#domain/kernel/session.ts';
import type { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { ProcessorDifference } from '#domain/model/money/processor-difference.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import type { FoundDifference } from './differences.ts';

const keyOf = ({ kind, reference }: { readonly kind: string; readonly reference: string }) =>
  `${kind} ${reference}`;

/** Records the differences that are new, and resolves those that are gone. Each change emits an event. */
export async function recordDifferences(
  session: Session,
  account: ProcessorAccount,
  found: readonly FoundDifference[],
  comparedFrom: Date,
): Promise<void> {
  const stored = await session.em.find(
    ProcessorDifference,
    { account: account.id, resolvedAt: null },
    { filters: { tenant: false } },
  );
  const known = new Set(stored.map(keyOf));
  const present = new Set(found.map(keyOf));
  for (const { pricingModelId, ...difference } of found) {
    if (known.has(keyOf(difference))) continue;
    known.add(keyOf(difference));
    const own = afresh(enterPricingModel(session, pricingModelId ?? session.pricingModelId));
    await command(own, async ({ em }) => {
      em.create(ProcessorDifference, { ...difference, account: account.id });
    });
  }
  for (const difference of stored) {
    if (present.has(keyOf(difference)) || difference.createdAt < comparedFrom) continue;
    const own = afresh(enterPricingModel(session, difference.pricingModelId));
    await command(own, async ({ em, now }) => {
      const gone = await em.findOneOrFail(ProcessorDifference, difference.id);
      gone.resolvedAt = now;
    });
  }
}
