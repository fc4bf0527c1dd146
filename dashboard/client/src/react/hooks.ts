import {
  type BalanceFragment,
  BalancesChangedDocument,
  CapacityChangedDocument,
  type CapacityFragment,
  type EntitlementFragment,
  EntitlementsChangedDocument,
  MeterBySlugDocument,
  type SeriesFragment,
  UsageOverTimeChangedDocument,
  type UsageOverTimeQueryVariables,
} from '../operations.generated.ts';
import { customerIn, type Live, ofOwn, shown, subscriptionIn, useStore } from './use-store.ts';

/** Whether the customer has a feature. */
export interface Entitlement {
  readonly isGranted: boolean;
  /** The granted amount, for features that have one. */
  readonly amount: number | null;
  /** The features of the subscription that grant it. */
  readonly grants: readonly EntitlementFragment[];
}

/** The feature with a slug: whether the customer has it now. */
export function useEntitlement(slug: string): Live<Entitlement> {
  const result = useStore('entitlements', (service) =>
    ofOwn(service, customerIn, EntitlementsChangedDocument, (customerId) => ({ customerId })),
  );
  return shown(result, (data) => {
    const all = data?.entitlementsChanged.featureItems ?? [];
    const grants = all.filter((each) => each.slug === slug);
    const amounts = grants.map(({ amount }) => amount).filter((amount) => amount !== null);
    const amount = amounts.length > 0 ? amounts.reduce((sum, each) => sum + each, 0) : null;
    return { isGranted: grants.length > 0, amount, grants };
  });
}

/** The balance of a usage meter in the current subscription. Null without one. */
export function useBalance(meterSlug: string): Live<BalanceFragment | null> {
  const result = useStore('balances', (service) =>
    ofOwn(service, subscriptionIn, BalancesChangedDocument, (subscriptionId) => ({
      subscriptionId,
    })),
  );
  return shown(
    result,
    (data) => data?.usageBalanceChanged.balances.find(({ slug }) => slug === meterSlug) ?? null,
  );
}

/** The capacity of a resource in the current subscription, such as seats. Null without one. */
export function useCapacity(resourceSlug: string): Live<CapacityFragment | null> {
  const result = useStore('capacity', (service) =>
    ofOwn(service, subscriptionIn, CapacityChangedDocument, (subscriptionId) => ({
      subscriptionId,
    })),
  );
  return shown(
    result,
    (data) =>
      data?.resourceUsageChanged.usages.find((each) => each.resourceSlug === resourceSlug) ?? null,
  );
}

/** The time and the parts of `useUsage`. */
export interface UsageOptions {
  /** Milliseconds since 1970; 30 days before `to` when absent. */
  readonly from?: number;
  /** The end of today in UTC when absent. */
  readonly to?: number;
  readonly interval?: UsageOverTimeQueryVariables['interval'];
  /** A property of the usage events by which the usage is divided. */
  readonly groupBy?: string;
}

const dayMilliseconds = 86_400_000;
const usualDays = 30;

/** The usage of a meter over time, as one series for each value of the property. */
export function useUsage(
  meterSlug: string,
  { from, to, interval = 'day', groupBy }: UsageOptions = {},
): Live<readonly SeriesFragment[]> {
  const end = to ?? Math.ceil((Date.now() + 1) / dayMilliseconds) * dayMilliseconds;
  const range = { from: from ?? end - usualDays * dayMilliseconds, to: end, interval };
  const name = JSON.stringify(['usage', meterSlug, range, groupBy]);
  const result = useStore(name, (service) =>
    ofOwn(service, customerIn, UsageOverTimeChangedDocument, (customerId) => async () => {
      const { data } = await service.connection.execute(MeterBySlugDocument, { slug: meterSlug });
      const usageMeterId = data.usageMeters.nodes[0]?.id ?? meterSlug;
      return { customerId, usageMeterId, ...range, groupBy };
    }),
  );
  return shown(result, (data) => data?.usageOverTimeChanged ?? []);
}
