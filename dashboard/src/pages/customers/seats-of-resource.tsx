import { Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { useList } from '../../live/use-list.ts';
import { numberText } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { ClaimDialog, ReleaseDialog } from '../subscriptions/seat-dialogs.tsx';
import { type CustomerSeatsQuery, SeatHoldersDocument } from './use.generated.ts';

type Usage = NonNullable<CustomerSeatsQuery['customer']>['resourceUsages'][number];

interface Props {
  readonly usage: Usage;
  readonly customerId: string;
  /** Whether the name of the subscription is shown. */
  readonly isNamed: boolean;
}

/** The claims of a resource, with their names. */
export function SeatsOfResource({ usage, customerId, isNamed }: Props) {
  const { resource, capacity, claimed, reserved, available, subscription, resourceSlug } = usage;
  const [isClaiming, setClaiming] = useState(false);
  const [released, setReleased] = useState<{ id: string; name: string }>();
  const { rows, totalCount, hasMore, loadMore } = useList(
    SeatHoldersDocument,
    { subscription: subscription.id, resource: usage.resourceId },
    ({ resourceClaims }) => resourceClaims,
    { kinds: ['resource_claim', 'reservation'], customerId },
  );
  const share = capacity === 0 ? 0 : ((claimed + reserved) / capacity) * 100;
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text fw={600} dir="auto">
          {resource.name}
          {isNamed && <Dimmed span> {subscription.name}</Dimmed>}
        </Text>
        <CommandButton
          does="claimResource"
          size="xs"
          variant="default"
          disabled={available === 0}
          onClick={() => setClaiming(true)}
        >
          Claim
        </CommandButton>
      </Group>
      <Progress
        value={share}
        size="lg"
        color={share >= 100 ? 'orange' : 'toll'}
        aria-label={`${resource.name}: share of capacity in use`}
      />
      <Text size="sm">
        {numberText(claimed)} of {numberText(capacity)} claimed
        {reserved > 0 && `, ${numberText(reserved)} reserved`}; {numberText(available)} available
      </Text>
      {rows.length > 0 && (
        <Table fz="sm" aria-label={`Claims of ${resource.name}`}>
          <Table.Tbody>
            {rows.map(({ id, externalId, claimedAt, expiredAt }) => (
              <Table.Tr key={id}>
                <Table.Td dir="auto" style={{ overflowWrap: 'anywhere' }}>
                  {externalId ?? 'Without a name'}
                </Table.Td>
                <Table.Td c="dimmed">
                  <Instant at={claimedAt} />
                  {expiredAt && (
                    <>
                      {' – '}
                      <Instant at={expiredAt} />
                    </>
                  )}
                </Table.Td>
                <Table.Td ta="end">
                  <CommandButton
                    does="releaseResource"
                    size="compact-xs"
                    variant="subtle"
                    aria-label={`Release ${externalId ?? 'the claim'}`}
                    onClick={() => setReleased({ id, name: externalId ?? id })}
                  >
                    Release
                  </CommandButton>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {hasMore && (
        <Button variant="default" size="xs" w="fit-content" onClick={loadMore}>
          Show more ({numberText((totalCount ?? 0) - rows.length)})
        </Button>
      )}
      <ClaimDialog
        isOpen={isClaiming}
        onClose={() => setClaiming(false)}
        subscriptionId={subscription.id}
        resourceSlug={resourceSlug}
      />
      <ReleaseDialog
        claim={released}
        onClose={() => setReleased(undefined)}
        subscriptionId={subscription.id}
        resourceSlug={resourceSlug}
      />
    </Stack>
  );
}
