import { Stack } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { SeatsOfResource } from './seats-of-resource.tsx';
import { CustomerSeatsDocument } from './use.generated.ts';

interface Props {
  readonly customerId: string;
  /** The subscription whose capacity this is; that of all when absent. */
  readonly subscriptionId?: string;
}

/** The capacity of a customer: how much of it is claimed, and who has each seat. */
export function Seats({ customerId, subscriptionId }: Props) {
  const { data, error, reload } = useLive(
    CustomerSeatsDocument,
    { id: customerId },
    {
      kinds: ['resource_claim', 'reservation', 'subscription', 'subscription_item_feature'],
      customerId,
    },
  );
  const usages = data?.customer?.resourceUsages.filter(
    (usage) => subscriptionId === undefined || usage.subscriptionId === subscriptionId,
  );
  if (!usages) return <Failure error={error} onRetry={reload} />;
  if (usages.length === 0) return null;
  const subscriptions = new Set(usages.map((usage) => usage.subscriptionId));
  return (
    <Section title="Capacity">
      <Stack gap="xl">
        {usages.map((usage) => (
          <SeatsOfResource
            key={`${usage.subscriptionId} ${usage.resourceId}`}
            usage={usage}
            customerId={customerId}
            isNamed={subscriptions.size > 1}
          />
        ))}
      </Stack>
    </Section>
  );
}
