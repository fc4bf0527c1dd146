import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { decimalText, jsonNumber, unitsOf } from '#domain/kernel/values/decimal.ts';
import { originColumns } from '#domain/platform/feed/origin.ts';
import type { NewEvent } from '#domain/platform/feed/write-events.ts';
import type { Call, Row } from './usage-call.ts';
import { dataOfUsage } from './usage-data.ts';

/** One event of the feed for each call, subscription and meter, however many were recorded. */
export function eventsOfUsage(
  { livemode, organizationId, pricingModelId }: Session,
  calls: readonly Call[],
  rows: readonly Row[],
): NewEvent[] {
  const groups = [...Map.groupBy(rows, ({ call }) => call).values()].flatMap((own) => [
    ...Map.groupBy(own, ({ kind }) => kind.ledgerKey).values(),
  ]);
  return groups.map((group): NewEvent => {
    const [{ event: first, call }, last] = [group[0] as Row, group.at(-1) as Row];
    const sum = group.reduce((sum, { event }) => sum + unitsOf(event.amount), 0n);
    const { customerId, createdAt } = first;
    return {
      id: newId('evt'),
      type: 'usage_event.recorded',
      objectType: 'UsageEvent',
      objectId: first.id,
      objectVersion: 1,
      data: dataOfUsage(first, {
        count: group.length,
        sum: jsonNumber(decimalText(sum)),
        lastId: last.event.id,
      }),
      previousAttributes: null,
      customerId,
      livemode,
      organizationId,
      pricingModelId,
      occurredAt: createdAt,
      ...originColumns(calls[call] ?? {}),
    };
  });
}
