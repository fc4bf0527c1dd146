import { Group } from '@mantine/core';
import { RowConfirm } from '../../commands/confirm.tsx';
import { useLive } from '../../live/use-live.ts';
import { type RowColumn, RowTable } from '../../parts/lists/row-table.tsx';
import { Section } from '../../parts/section.tsx';
import { numberText } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed, Remark } from '../../parts/texts/small-texts.tsx';
import {
  ConfirmReservationDocument,
  ReleaseReservationDocument,
  SubscriptionReservationsDocument,
  type SubscriptionReservationsQuery,
} from './subscription.generated.ts';

type Reservation = NonNullable<
  SubscriptionReservationsQuery['subscription']
>['reservations']['nodes'][number];

interface Props {
  readonly subscriptionId: string;
  readonly customerId: string;
}

const commands = {
  confirmReservation: {
    does: 'confirmReservation',
    document: ConfirmReservationDocument,
    title: 'Confirm the reservation',
    label: 'Confirm',
    done: 'The reservation has become claims',
  },
  releaseReservation: {
    does: 'releaseReservation',
    document: ReleaseReservationDocument,
    title: 'Release the reservation',
    label: 'Release',
    done: 'The reservation is released',
  },
} as const;

/** The reservations that wait to be confirmed or released; nothing while there are none. */
export function Reservations({ subscriptionId, customerId }: Props) {
  const { data } = useLive(
    SubscriptionReservationsDocument,
    { id: subscriptionId },
    { kinds: ['reservation'], customerId },
  );
  const { nodes = [], totalCount = 0 } = data?.subscription?.reservations ?? {};
  if (totalCount === 0) return null;
  return (
    <Section title="Reservations">
      <RowTable label="Reservations" minWidth={420} rows={nodes} columns={columns} />
      {totalCount > nodes.length && <Dimmed>{numberText(totalCount - nodes.length)} more</Dimmed>}
    </Section>
  );
}

const columns: readonly RowColumn<Reservation>[] = [
  {
    name: 'Reserved',
    dir: 'auto',
    cell: ({ resource, quantity, externalIds, usageMeter, usageAmount }) => (
      <>
        {numberText(quantity)} {resource.name}
        {externalIds && `: ${externalIds.join(', ')}`}
        {usageMeter && usageAmount !== null && (
          <Remark>
            with {numberText(usageAmount)} {usageMeter.name}
          </Remark>
        )}
      </>
    ),
  },
  {
    name: 'Until',
    color: 'dimmed',
    cell: ({ expiresAt }) => (
      <>
        until <Instant at={expiresAt} />
      </>
    ),
  },
  {
    name: 'Commands',
    cell: ({ id }) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <RowConfirm command={commands.confirmReservation} variables={{ id }} />
        <RowConfirm command={commands.releaseReservation} variables={{ id }} />
      </Group>
    ),
  },
];
