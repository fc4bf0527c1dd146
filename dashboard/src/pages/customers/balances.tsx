import { Stack } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { Empty } from '../../parts/lists/empty.tsx';
import { Section } from '../../parts/section.tsx';
import { Meter } from './meter.tsx';
import { CustomerBalancesDocument } from './use.generated.ts';

interface Props {
  readonly customerId: string;
  /** The subscription whose balances these are; those of all current ones when absent. */
  readonly subscriptionId?: string;
  /** The present of the customer. */
  readonly now: number;
}

/** The balances of a customer: how fast each is used, when it runs out, and its course. */
export function Balances({ customerId, subscriptionId, now }: Props) {
  const { data, error, reload } = useLive(
    CustomerBalancesDocument,
    { id: customerId, subscription: subscriptionId ?? null },
    { kinds: ['usage_event', 'usage_credit', 'subscription', 'reservation'], customerId },
  );
  const balances = data?.customer?.usageMeterBalances;
  const isShared = (meter: string) =>
    (balances?.filter(({ usageMeterId }) => usageMeterId === meter).length ?? 0) > 1;
  return (
    <Section title="Usage and balances">
      {!balances && <Failure error={error} onRetry={reload} />}
      {balances?.length === 0 && <Empty title="No usage">Usage and credits appear here.</Empty>}
      <Stack gap="xl">
        {balances?.map((balance) => (
          <Meter
            key={balance.id}
            balance={balance}
            customerId={customerId}
            // The usage of another subscription does not reduce this balance.
            isOfSubscription={subscriptionId !== undefined || isShared(balance.usageMeterId)}
            isNamed={isShared(balance.usageMeterId)}
            now={now}
          />
        ))}
      </Stack>
    </Section>
  );
}
