import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { grantCredit } from '#domain/metering/ledger/change-usage.ts';
import type { Credit, Ledger, Period } from '#domain/metering/ledger/ledger.ts';
import { UsageCredit, type usageCreditSources } from '#domain/model/metering/usage-credit.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { originColumns } from '#domain/platform/feed/origin.ts';
import { renderedIn } from '#domain/platform/feed/record-changes.ts';
import { type NewEvent, writeEvents } from '#domain/platform/feed/write-events.ts';
import type { GrantedRollover } from './granted-rollover.ts';
import type { CreditDetails } from './write-ledgers.ts';

/** A credit that is to be granted. */
export interface Grant {
  readonly usageMeterId: string;
  /** An exact decimal, above 0. */
  readonly amount: string;
  readonly expiresAt: Date | null;
  readonly source: (typeof usageCreditSources)[number];
  /** The feature of a subscription item that grants it. */
  readonly sourceId: string | null;
  /** The purchase that grants it. */
  readonly purchaseId?: string | null;
  /** The period of the grant, if the same feature grants it again in the next one. */
  readonly billingPeriodId: string;
  readonly priority?: number | null | undefined;
  readonly reason?: string | null | undefined;
  /** How it rolls over; absent where it does not. */
  readonly rollover?: GrantedRollover | null;
}

/** Grants credits on locked ledgers. Returns the details that are written with them, by their ids. */
export function grantCredits(
  subscription: Subscription,
  running: Period,
  grants: readonly (readonly [Ledger, Grant])[],
): Map<string, CreditDetails> {
  const details = new Map<string, CreditDetails>();
  for (const [ledger, grant] of grants) {
    const amount = unitsOf(grant.amount);
    const credit: Credit = {
      id: newId('usage_credit'),
      position: Number.MAX_SAFE_INTEGER,
      createdAt: ledger.now,
      expiresAt: grant.expiresAt?.getTime() ?? null,
      priority: grant.priority ?? 50,
      amount,
      remaining: amount,
      expired: 0n,
      applied: new Map(),
      rollover: grant.rollover
        ? { ...grant.rollover, periodId: grant.billingPeriodId, into: null, kept: 0n, cut: 0n }
        : null,
    };
    const { usageMeterId, source, sourceId, purchaseId, billingPeriodId, reason } = grant;
    details.set(credit.id, {
      subscriptionId: subscription.id,
      customerId: subscription.customerId,
      usageMeterId,
      source,
      sourceId,
      purchaseId: purchaseId ?? null,
      billingPeriodId,
      reason: reason ?? null,
    });
    grantCredit(ledger, credit, running);
  }
  return details;
}

/** Emits the events of credits that have been granted, have rolled over or have expired; their rows are written. */
export async function emitCredits(
  session: Session,
  { customerId }: Pick<Subscription, 'customerId'>,
  changes: readonly {
    readonly verb: 'created' | 'expired' | 'rolled_over';
    readonly credit: Credit;
  }[],
) {
  if (changes.length === 0) return;
  const { em, now, livemode, organizationId, pricingModelId } = session;
  const tenant = { livemode, organizationId, pricingModelId };
  const ids = changes.map(({ credit }) => credit.id);
  // Rows are written without the ORM, so its copies of credits may be out of date.
  const rows = await em.find(UsageCredit, { id: { $in: ids } }, { disableIdentityMap: true });
  const data = new Map(rows.map((row) => [row.id, renderedIn(em, row)]));
  const events = changes.map(
    ({ verb, credit: { id } }): NewEvent => ({
      id: newId('evt'),
      type: `usage_credit.${verb}`,
      objectType: 'UsageCredit',
      objectId: id,
      objectVersion: verb === 'created' ? 1 : 2,
      data: data.get(id) ?? { id },
      previousAttributes: null,
      customerId,
      ...tenant,
      occurredAt: now,
      ...originColumns(session),
    }),
  );
  await writeEvents(em, events);
}
