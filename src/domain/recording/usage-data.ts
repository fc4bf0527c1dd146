import { jsonNumber } from '#domain/kernel/values/decimal.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';

/** The data of an event of the feed about a usage event, and about those that were recorded with it. */
export const dataOfUsage = (
  event: Pick<UsageEvent, (typeof shownOfUsage)[number] | 'amount' | 'voidedAt'>,
  group: { readonly count: number; readonly sum: unknown; readonly lastId: string },
) => ({
  ...Object.fromEntries(shownOfUsage.map((name) => [name, event[name] ?? null])),
  amount: jsonNumber(event.amount),
  voidedAt: event.voidedAt?.getTime() ?? null,
  ...group,
  firstId: event.id,
});

const shownOfUsage = [
  'id',
  'customerId',
  'subscriptionId',
  'usageMeterId',
  'voidReason',
  'replacedById',
] as const;
