import { createUsageMeter } from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import type { Session } from '#domain/kernel/session.ts';
import { createAlert } from '#domain/metering/commands/alerts/create-alert.ts';
import type { Alert } from '#domain/model/metering/alert.ts';
import { AlertCrossing } from '#domain/model/metering/alert-crossing.ts';
import type { AlertKind } from '#domain/model/metering/alert-kinds.ts';
import { fresh } from './factories.ts';
import type { User } from './usage.ts';

interface Wanted {
  readonly hardLimit?: boolean;
  readonly percentages?: number[];
  /** Watches each subscription of this customer instead of one. */
  readonly customerId?: string;
}

/** An alert on the meter of a subscription; one on spend watches all meters. */
export const anAlert = (
  session: Session,
  { id, slug }: User,
  kind: AlertKind,
  threshold: number | string,
  { hardLimit = false, customerId, percentages = [] }: Wanted = {},
): Promise<Alert> =>
  createAlert(fresh(session), {
    alert: {
      kind,
      threshold: String(threshold),
      hardLimit,
      percentages,
      ...(customerId ? { customerId } : { subscriptionId: id }),
      ...(kind !== 'spend' && { usageMeterSlug: slug }),
    },
  });

let count = 0;

/** A further meter on which a subscription can be used, at a price in minor units for each unit. */
export async function anotherMeter(
  session: Session,
  { id }: User,
  unitPrice: number,
): Promise<User> {
  const slug = `another-${++count}-${id}`;
  await createUsageMeter(fresh(session), {
    usageMeter: { name: 'Storage', slug },
    price: { unitPrice, usageEventsPerUnit: 1 },
  });
  return { id, slug };
}

/** The crossings of an alert, the oldest first: `100 of 80`, with `ended` once the value has returned. */
export async function crossingsOf(session: Session, { id }: Pick<Alert, 'id'>): Promise<string[]> {
  const crossings = await fresh(session).em.find(
    AlertCrossing,
    { alert: id },
    { orderBy: { position: 'asc' } },
  );
  return crossings.map(
    ({ value, threshold, endedAt }) => `${value} of ${threshold}${endedAt ? ' ended' : ''}`,
  );
}
