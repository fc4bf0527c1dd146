import { Progress, Text } from '@mantine/core';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { intervalText } from '../../parts/texts/interval-text.ts';
import { Money } from '../../parts/texts/money.tsx';
import type { Subscription } from './subscription.ts';

interface Props {
  readonly subscription: Subscription;
}

/** The commitment of a subscription, and how far its running term has reached it. */
export function Commitment({ subscription: { commitment, currency } }: Props) {
  if (!commitment) return null;
  const { amount, interval: intervalUnit, intervalCount, trueUp, counts, term } = commitment;
  const money = (minorUnits: number) => <Money amount={minorUnits} currency={currency} />;
  return (
    <Section title="Commitment">
      <Facts
        facts={[
          [
            'Commits to',
            <Text key="amount" span size="sm">
              {money(amount)} {intervalText({ intervalUnit, intervalCount })}
            </Text>,
          ],
          ['Counts', counts === 'all' ? 'Usage and the plan' : 'Usage'],
          [
            'The difference is charged',
            trueUp === 'at_end' ? 'At the end of the term' : 'With each billing period',
          ],
          ...(term
            ? ([
                [
                  'Term so far',
                  <Text key="term" span size="sm">
                    <Instant at={term.start} /> – <Instant at={term.end} />
                  </Text>,
                ],
                ['Periods', `${term.begun} of ${term.periods}`],
                ['Committed so far', money(term.committed)],
                ['Reached', money(term.reached)],
                ['Missing', money(term.missing)],
                ['Charged for the difference', money(term.charged)],
              ] as const)
            : []),
        ]}
      />
      {term && (
        <Progress
          mt="sm"
          value={Math.min(100, (100 * term.reached) / Math.max(1, term.committed))}
          aria-label="Reached of what is committed so far"
        />
      )}
    </Section>
  );
}
