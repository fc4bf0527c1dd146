import { Badge, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { BalanceAhead, DailyUsage } from '../../parts/charts/meter-charts.tsx';
import {
  balanceAhead,
  dayMilliseconds,
  type RunOut,
  runOutOf,
} from '../../parts/charts/run-out.ts';
import { numberText } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { type CustomerBalancesQuery, MeterUsageDocument } from './use.generated.ts';

type Balance = NonNullable<CustomerBalancesQuery['customer']>['usageMeterBalances'][number];

interface Props {
  readonly balance: Balance;
  readonly customerId: string;
  /** Whether only the usage of the balance's subscription counts. */
  readonly isOfSubscription: boolean;
  /** Whether the name of the subscription is shown. */
  readonly isNamed: boolean;
  readonly now: number;
}

const days = 30;

/** A balance with its use in 30 days and what is left of it on the days to come. */
export function Meter({ balance, customerId, isOfSubscription, isNamed, now }: Props) {
  const { usageMeterId, available, subscription } = balance;
  const to = (Math.floor(now / dayMilliseconds) + 1) * dayMilliseconds;
  const { data } = useLive(
    MeterUsageDocument,
    {
      meter: usageMeterId,
      ...(isOfSubscription ? { subscription: subscription.id } : { customer: customerId }),
      from: to - days * dayMilliseconds,
      to,
    },
    { kinds: ['usage_event'], customerId },
  );
  const points = data?.usageOverTime[0]?.points ?? [];
  const runOut = runOutOf(points, available, now);
  const end = subscription.currentBillingPeriodEnd;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
      <Numbers balance={balance} runOut={runOut} name={isNamed ? subscription.name : null} />
      {points.length > 0 && <DailyUsage days={points} />}
      {runOut.perDay > 0 && available > 0 && (
        <BalanceAhead days={balanceAhead(runOut, available, now, end)} periodEnd={end} />
      )}
    </SimpleGrid>
  );
}

interface NumbersProps {
  readonly balance: Balance;
  readonly runOut: RunOut;
  readonly name: string | null;
}

function Numbers({ balance, runOut, name: subscription }: NumbersProps) {
  const { name, granted, used, available, held, overage, rolledOver, burnRatePerHour } = balance;
  const share = granted === 0 ? 0 : Math.min(100, (used / granted) * 100);
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text fw={600} dir="auto">
          {name}
          {subscription && <Dimmed span> {subscription}</Dimmed>}
        </Text>
        {overage > 0 && (
          <Badge color="orange" variant="light" tt="none">
            {numberText(overage)} beyond credits
          </Badge>
        )}
      </Group>
      {granted > 0 && (
        <Progress
          value={share}
          color={share >= 100 ? 'orange' : 'toll'}
          size="lg"
          aria-label={`${name}: share of credits used`}
        />
      )}
      <Text size="sm">
        {numberText(used)} used
        {granted > 0 && ` of ${numberText(granted)} granted; ${numberText(available)} available`}
        {rolledOver > 0 && `, ${numberText(rolledOver)} from earlier periods`}
        {held > 0 && `, ${numberText(held)} reserved`}
      </Text>
      <Dimmed>
        {numberText(round(runOut.perDay))} a day on average ·{' '}
        {numberText(round(burnRatePerHour * 24))} in the last 24 hours
      </Dimmed>
      {granted > 0 && (
        <Text size="sm">
          <Outlook runOut={runOut} balance={balance} />
        </Text>
      )}
    </Stack>
  );
}

/** When the balance is used up, compared with the end of the period. */
function Outlook({ runOut: { at }, balance }: Pick<NumbersProps, 'runOut' | 'balance'>) {
  const { available, subscription } = balance;
  const end = subscription.currentBillingPeriodEnd;
  if (available <= 0) return 'Used up';
  if (at === undefined) return 'Nothing is used at present';
  if (end !== null && at > end) {
    return (
      <>
        Lasts until the period ends on <Instant at={end} />
      </>
    );
  }
  return (
    <>
      Runs out on <Instant at={at} />
      {end !== null && (
        <>
          , before the period ends on <Instant at={end} />
        </>
      )}
    </>
  );
}

const round = (value: number) => (value >= 10 ? Math.round(value) : Math.round(value * 100) / 100);
