import { Group, Table } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useLive } from '../../live/use-live.ts';
import { Section } from '../../parts/section.tsx';
import { numberText } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed, Remark } from '../../parts/texts/small-texts.tsx';
import {
  ConfirmReservationDocument,
  ReleaseReservationDocument,
  SubscriptionReservationsDocument,
} from './subscription.generated.ts';

interface Props {
  readonly subscriptionId: string;
  readonly customerId: string;
}

/** The reservations that wait to be confirmed or released; nothing while there are none. */
export function Reservations({ subscriptionId, customerId }: Props) {
  const { data } = useLive(
    SubscriptionReservationsDocument,
    { id: subscriptionId },
    { kinds: ['reservation'], customerId },
  );
  const [chosen, setChosen] = useState<{ id: string; as: 'confirm' | 'release' }>();
  const { nodes = [], totalCount = 0 } = data?.subscription?.reservations ?? {};
  const close = () => setChosen(undefined);
  return (
    <>
      {totalCount > 0 && (
        <Section title="Reservations">
          <Table.ScrollContainer minWidth={420} type="native" tabIndex={0}>
            <Table fz="sm" aria-label="Reservations">
              <Table.Tbody>
                {nodes.map(({ id, resource, quantity, externalIds, expiresAt, ...usage }) => (
                  <Table.Tr key={id}>
                    <Table.Td dir="auto">
                      {numberText(quantity)} {resource.name}
                      {externalIds && `: ${externalIds.join(', ')}`}
                      {usage.usageMeter && usage.usageAmount !== null && (
                        <Remark>
                          with {numberText(usage.usageAmount)} {usage.usageMeter.name}
                        </Remark>
                      )}
                    </Table.Td>
                    <Table.Td c="dimmed">
                      until <Instant at={expiresAt} />
                    </Table.Td>
                    <Table.Td>
                      <Group gap={4} wrap="nowrap" justify="flex-end">
                        <CommandButton
                          does="confirmReservation"
                          size="compact-xs"
                          variant="subtle"
                          onClick={() => setChosen({ id, as: 'confirm' })}
                        >
                          Confirm
                        </CommandButton>
                        <CommandButton
                          does="releaseReservation"
                          size="compact-xs"
                          variant="subtle"
                          onClick={() => setChosen({ id, as: 'release' })}
                        >
                          Release
                        </CommandButton>
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {totalCount > nodes.length && (
            <Dimmed>{numberText(totalCount - nodes.length)} more</Dimmed>
          )}
        </Section>
      )}
      <CommandDialog
        title="Confirm the reservation"
        isOpen={chosen?.as === 'confirm'}
        onClose={close}
        document={ConfirmReservationDocument}
        variables={chosen && { id: chosen.id }}
        label="Confirm"
        done="The reservation has become claims"
      />
      <CommandDialog
        title="Release the reservation"
        isOpen={chosen?.as === 'release'}
        onClose={close}
        document={ReleaseReservationDocument}
        variables={chosen && { id: chosen.id }}
        label="Release"
        done="The reservation is released"
      />
    </>
  );
}
