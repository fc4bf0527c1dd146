import { List, Progress } from '@mantine/core';
import { RowConfirm } from '../../../commands/confirm.tsx';
import { useList } from '../../../live/use-list.ts';
import { timeColumn } from '../../../parts/lists/columns.tsx';
import { type RowColumn, RowTable } from '../../../parts/lists/row-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { numberText, wordsOf } from '../../../parts/texts/formats.ts';
import { Mark, PageLink } from '../../../parts/texts/small-texts.tsx';
import {
  PriceMovesDocument,
  type PriceMovesQuery,
  StopPriceMoveDocument,
} from './price-moves.generated.ts';

type Move = PriceMovesQuery['priceMoves']['nodes'][number];

const stopPriceMove = {
  does: 'stopPriceMove',
  document: StopPriceMoveDocument,
  title: 'Stop the move',
  text: 'Moved subscriptions keep the new price.',
  label: 'Stop',
  isDangerous: true,
  done: 'The move is stopped',
} as const;

const nameOf = ({ id, name, slug }: Move['fromPrice']) => slug ?? name ?? id;

/** The moves of subscribers between prices, with their progress; nothing where there was none. */
export function PriceMoves() {
  const { rows } = useList(PriceMovesDocument, {}, ({ priceMoves }) => priceMoves, {
    kinds: ['price_move'],
  });
  if (rows.length === 0) return null;
  return (
    <Section title="Moves of subscribers">
      <RowTable label="Moves of subscribers" minWidth={520} hasHead rows={rows} columns={columns} />
    </Section>
  );
}

const isRunning = ({ status }: Move) => status === 'running';

const columns: readonly RowColumn<Move>[] = [
  { name: 'From', cell: ({ fromPrice }) => nameOf(fromPrice) },
  { name: 'To', cell: ({ toPrice }) => nameOf(toPrice) },
  timeColumn('Began', 'createdAt'),
  {
    name: 'Status',
    cell: (move) => <Mark color={isRunning(move) ? 'blue' : 'teal'}>{wordsOf(move.status)}</Mark>,
  },
  { name: 'Progress', cell: (move) => <Course move={move} /> },
  {
    name: 'Commands',
    isNameless: true,
    isNumber: true,
    cell: (move) =>
      isRunning(move) && <RowConfirm command={stopPriceMove} variables={{ id: move.id }} />,
  },
];

/** How many subscriptions have moved, and why others have not. */
function Course({ move }: { readonly move: Move }) {
  const { subscriptionCount, movedCount, failedCount, failures } = move;
  const done = movedCount + failedCount;
  const percent = subscriptionCount === 0 ? 100 : Math.min(100, (100 * done) / subscriptionCount);
  return (
    <>
      {isRunning(move) && <Progress value={percent} aria-label="Progress of the move" mb={4} />}
      {numberText(movedCount)} moved, {numberText(failedCount)} failed of{' '}
      {numberText(subscriptionCount)}
      {failures.length > 0 && (
        <List size="xs">
          {failures.map(({ subscriptionId, reason }) => (
            <List.Item key={subscriptionId}>
              <PageLink to={`/subscriptions/${subscriptionId}`} size="xs">
                {subscriptionId}
              </PageLink>
              : {reason}
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}
