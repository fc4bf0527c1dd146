import { Badge, Table, Tooltip } from '@mantine/core';
import { dayOf } from '../../../parts/texts/days.ts';
import { quantityText } from '../../../parts/texts/formats.ts';
import { Money } from '../../../parts/texts/money.tsx';
import { PageLink, Remark } from '../../../parts/texts/small-texts.tsx';
import { PeriodText } from '../period-text.tsx';
import type { ExplainedLine } from './explanation-texts.ts';

type Part = ExplainedLine['usage'][number];

interface Props {
  readonly usage: readonly Part[];
  readonly currency: string;
  readonly subscriptionId: string | undefined;
  readonly meterId: string | undefined;
}

/** The usage of each period of a line: measured, covered by credits, and billed. */
export function ExplainedUsage({ usage, currency, subscriptionId, meterId }: Props) {
  return (
    <Table.ScrollContainer minWidth={620} type="native" tabIndex={0}>
      <Table fz="sm" withTableBorder aria-label="Usage by billing period">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Period</Table.Th>
            <Table.Th ta="end">Events</Table.Th>
            <Table.Th ta="end">Used</Table.Th>
            <Table.Th ta="end">Covered by credits</Table.Th>
            <Table.Th ta="end">Billed</Table.Th>
            <Table.Th ta="end">Amount</Table.Th>
            <Table.Th>Evidence</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {usage.map((part) => {
            const { billingPeriod, isCorrection, events, used, covered, billed, amount } = part;
            const link = addressOf(part, subscriptionId, meterId);
            return (
              <Table.Tr key={`${part.billingPeriodId}${isCorrection}`}>
                <Table.Td>
                  {billingPeriod ? (
                    <PeriodText start={billingPeriod.startDate} end={billingPeriod.endDate} />
                  ) : (
                    'Before the first period'
                  )}
                  {isCorrection && <Remark>Corrects usage that was billed</Remark>}
                </Table.Td>
                <Table.Td ta="end">
                  {link ? (
                    <PageLink to={link}>{quantityText(events.count)}</PageLink>
                  ) : (
                    quantityText(events.count)
                  )}
                </Table.Td>
                <Table.Td ta="end">{quantityText(used)}</Table.Td>
                <Table.Td ta="end">{quantityText(covered)}</Table.Td>
                <Table.Td ta="end">{quantityText(billed)}</Table.Td>
                <Table.Td ta="end">
                  {amount === null ? '—' : <Money amount={amount} currency={currency} />}
                </Table.Td>
                <Table.Td>
                  <Evidence events={events} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Whether the events are still those of the time of billing, by their digest. */
function Evidence({ events: { sha256, sumOfSha256 } }: Pick<Part, 'events'>) {
  // Both digests are known only of events that are in their table and have not changed.
  const isCounted = sha256 !== null && sumOfSha256 !== null;
  const digest = sha256 ?? sumOfSha256 ?? '';
  return (
    <Tooltip
      multiline
      maw={340}
      label={
        isCounted
          ? `The events are those of the time of billing. SHA-256: ${digest}`
          : `The events are archived, or have changed since. Stored digest: ${digest}`
      }
    >
      <Badge color={isCounted ? 'teal' : 'gray'} variant="light" tt="none" radius="sm" tabIndex={0}>
        {isCounted ? 'Unchanged' : 'Stored figures'}
      </Badge>
    </Tooltip>
  );
}

/** The page of the events of a period. */
function addressOf({ billingPeriod }: Part, subscription?: string, meter?: string) {
  if (!billingPeriod || !subscription || !meter) return undefined;
  const dayAfter = billingPeriod.endDate + 86_400_000;
  const days = `from=${dayOf(billingPeriod.startDate)}&to=${dayOf(dayAfter)}`;
  return `/usage?meter=${meter}&subscription=${subscription}&${days}`;
}
