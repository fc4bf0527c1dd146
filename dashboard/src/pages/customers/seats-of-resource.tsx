import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { PageButton, RowButton } from '../../commands/command-button.tsx';
import { useList } from '../../live/use-list.ts';
import { RowTable } from '../../parts/lists/row-table.tsx';
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
  const { rows, totalCount, hasMore, loadMore } = useList(
    SeatHoldersDocument,
    { subscription: subscription.id, resource: usage.resourceId },
    ({ resourceClaims }) => resourceClaims,
    { kinds: ['resource_claim', 'reservation'], customerId },
  );
  const place = { subscriptionId: subscription.id, resourceSlug };
  const share = capacity === 0 ? 0 : ((claimed + reserved) / capacity) * 100;
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text fw={600} dir="auto">
          {resource.name}
          {isNamed && <Dimmed span> {subscription.name}</Dimmed>}
        </Text>
        <PageButton
          does="claimResource"
          variant="default"
          disabled={available === 0}
          dialog={(onClose) => <ClaimDialog {...place} onClose={onClose} />}
        >
          Claim
        </PageButton>
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
        <RowTable
          label={`Claims of ${resource.name}`}
          rows={rows}
          columns={[
            {
              name: 'Name',
              cell: ({ externalId }) => (
                <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
                  {externalId ?? 'Without a name'}
                </Text>
              ),
            },
            {
              name: 'Time',
              color: 'dimmed',
              cell: ({ claimedAt, expiredAt }) => (
                <>
                  <Instant at={claimedAt} />
                  {expiredAt && (
                    <>
                      {' – '}
                      <Instant at={expiredAt} />
                    </>
                  )}
                </>
              ),
            },
            {
              name: 'Commands',
              isNumber: true,
              cell: (claim) => (
                <RowButton
                  does="releaseResource"
                  aria-label={`Release ${claim.externalId ?? 'the claim'}`}
                  dialog={(onClose) => <ReleaseDialog {...{ claim, onClose }} {...place} />}
                >
                  Release
                </RowButton>
              ),
            },
          ]}
        />
      )}
      {hasMore && (
        <Button variant="default" size="xs" w="fit-content" onClick={loadMore}>
          Show more ({numberText((totalCount ?? 0) - rows.length)})
        </Button>
      )}
    </Stack>
  );
}
