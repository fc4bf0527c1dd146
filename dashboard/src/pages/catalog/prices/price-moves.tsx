import { Anchor, List, Progress, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { CommandButton } from '../../../commands/command-button.tsx';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { useList } from '../../../live/use-list.ts';
import { Section } from '../../../parts/section.tsx';
import { numberText, wordsOf } from '../../../parts/texts/formats.ts';
import { Instant } from '../../../parts/texts/instant.tsx';
import { Mark } from '../../../parts/texts/small-texts.tsx';
import {
  PriceMovesDocument,
  type PriceMovesQuery,
  StopPriceMoveDocument,
} from './price-moves.generated.ts';

type Move = PriceMovesQuery['priceMoves']['nodes'][number];

const nameOf = ({ id, name, slug }: Move['fromPrice']) => slug ?? name ?? id;

/** The moves of subscribers between prices, with their progress; nothing where there was none. */
export function PriceMoves() {
  const { rows } = useList(PriceMovesDocument, {}, ({ priceMoves }) => priceMoves, {
    kinds: ['price_move'],
  });
  const [stopped, setStopped] = useState<string>();
  if (rows.length === 0) return null;
  return (
    <Section title="Moves of subscribers">
      <Table.ScrollContainer minWidth={520} type="native" tabIndex={0}>
        <Table fz="sm" aria-label="Moves of subscribers">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>From</Table.Th>
              <Table.Th>To</Table.Th>
              <Table.Th>Began</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Progress</Table.Th>
              <Table.Th aria-label="Commands" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((move) => (
              <Row key={move.id} move={move} onStop={() => setStopped(move.id)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {stopped && (
        <CommandDialog
          title="Stop the move"
          onClose={() => setStopped(undefined)}
          document={StopPriceMoveDocument}
          variables={{ id: stopped }}
          label="Stop"
          isDangerous
          done="The move is stopped"
        >
          <Text size="sm">Moved subscriptions keep the new price.</Text>
        </CommandDialog>
      )}
    </Section>
  );
}

function Row({ move, onStop }: { readonly move: Move; readonly onStop: () => void }) {
  const { status, subscriptionCount, movedCount, failedCount, failures } = move;
  const done = movedCount + failedCount;
  const isRunning = status === 'running';
  const percent = subscriptionCount === 0 ? 100 : Math.min(100, (100 * done) / subscriptionCount);
  return (
    <Table.Tr>
      <Table.Td>{nameOf(move.fromPrice)}</Table.Td>
      <Table.Td>{nameOf(move.toPrice)}</Table.Td>
      <Table.Td>
        <Instant at={move.createdAt} />
      </Table.Td>
      <Table.Td>
        <Mark color={isRunning ? 'blue' : 'teal'}>{wordsOf(status)}</Mark>
      </Table.Td>
      <Table.Td>
        {isRunning && <Progress value={percent} aria-label="Progress of the move" mb={4} />}
        {numberText(movedCount)} moved, {numberText(failedCount)} failed of{' '}
        {numberText(subscriptionCount)}
        {failures.length > 0 && (
          <List size="xs">
            {failures.map(({ subscriptionId, reason }) => (
              <List.Item key={subscriptionId}>
                <Anchor component={Link} to={`/subscriptions/${subscriptionId}`} fz="xs">
                  {subscriptionId}
                </Anchor>
                : {reason}
              </List.Item>
            ))}
          </List>
        )}
      </Table.Td>
      <Table.Td ta="end">
        {isRunning && (
          <CommandButton does="stopPriceMove" size="compact-xs" variant="subtle" onClick={onStop}>
            Stop
          </CommandButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
