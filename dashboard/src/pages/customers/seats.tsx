import { Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useLive } from '../../live/use-live.ts';
import { Instant } from '../../parts/instant.tsx';
import { Section } from '../../parts/section.tsx';
import { ClaimDialog, ReleaseDialog } from '../subscriptions/seat-dialogs.tsx';
import { type OneCustomerQuery, SeatHoldersDocument } from './customer.generated.ts';

type Usage = NonNullable<OneCustomerQuery['customer']>['resourceUsages'][number];

/** The capacity of a customer: how much of it is claimed, and who has each seat. */
export function Seats({ usages }: { readonly usages: readonly Usage[] }) {
  if (usages.length === 0) return null;
  return (
    <Section title="Capacity">
      <Stack gap="xl">
        {usages.map((usage) => (
          <Resource key={`${usage.subscriptionId} ${usage.resourceId}`} usage={usage} />
        ))}
      </Stack>
    </Section>
  );
}

function Resource({ usage }: { readonly usage: Usage }) {
  const { resource, capacity, claimed, reserved, available, subscriptionId, resourceSlug } = usage;
  const [isClaiming, setClaiming] = useState(false);
  const [released, setReleased] = useState<{ id: string; name: string }>();
  const { data } = useLive(
    SeatHoldersDocument,
    { subscription: subscriptionId, resource: usage.resourceId },
    { kinds: ['resource_claim', 'reservation'] },
  );
  const share = capacity === 0 ? 0 : ((claimed + reserved) / capacity) * 100;
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text fw={600}>{resource.name}</Text>
        <Button
          size="xs"
          variant="default"
          disabled={available === 0}
          onClick={() => setClaiming(true)}
        >
          Claim
        </Button>
      </Group>
      <Progress
        value={share}
        size="lg"
        color={share >= 100 ? 'orange' : 'toll'}
        aria-label={`${resource.name}: share of capacity in use`}
      />
      <Text size="sm">
        {claimed} of {capacity} claimed
        {reserved > 0 && `, ${reserved} reserved`}; {available} available
      </Text>
      {(data?.resourceClaims.nodes.length ?? 0) > 0 && (
        <Table fz="sm" aria-label={`Claims of ${resource.name}`}>
          <Table.Tbody>
            {data?.resourceClaims.nodes.map(({ id, externalId, claimedAt }) => (
              <Table.Tr key={id}>
                <Table.Td dir="auto" style={{ overflowWrap: 'anywhere' }}>
                  {externalId ?? 'Without a name'}
                </Table.Td>
                <Table.Td c="dimmed">
                  <Instant at={claimedAt} />
                </Table.Td>
                <Table.Td ta="end">
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    onClick={() => setReleased({ id, name: externalId ?? id })}
                  >
                    Release
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <ClaimDialog
        isOpen={isClaiming}
        onClose={() => setClaiming(false)}
        subscriptionId={subscriptionId}
        resourceSlug={resourceSlug}
      />
      <ReleaseDialog
        claim={released}
        onClose={() => setReleased(undefined)}
        subscriptionId={subscriptionId}
        resourceSlug={resourceSlug}
      />
    </Stack>
  );
}
