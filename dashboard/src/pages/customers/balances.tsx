import { AreaChart } from '@mantine/charts';
import { Badge, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useLive } from '../../live/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { numberText, shortNumberText } from '../../parts/formats.ts';
import { Instant } from '../../parts/instant.tsx';
import { Section } from '../../parts/section.tsx';
import { bucketLabel } from '../home/bucket-label.ts';
import { CustomerUsageDocument, type OneCustomerQuery } from './customer.generated.ts';

type Customer = NonNullable<OneCustomerQuery['customer']>;
type Balance = Customer['usageMeterBalances'][number];

const day = 86_400_000;

/** The balances of a customer: how fast each is used, when it runs out, and its course over 30 days. */
export function Balances({ customer, now }: { readonly customer: Customer; readonly now: number }) {
  const to = (Math.floor(now / day) + 1) * day;
  const { data } = useLive(
    CustomerUsageDocument,
    { customer: customer.id, from: to - 30 * day, to },
    { kinds: ['usage_event'], customerId: customer.id },
  );
  const balances = customer.usageMeterBalances;
  return (
    <Section title="Usage and balances">
      {balances.length === 0 && (
        <Empty title="No usage">Usage and credits of this customer appear here.</Empty>
      )}
      <Stack gap="xl">
        {balances.map((balance) => (
          <SimpleGrid key={balance.id} cols={{ base: 1, md: 2 }} spacing="lg">
            <Meter balance={balance} />
            <Course
              name={balance.name}
              points={
                data?.usageOverTime.find(({ usageMeter }) => usageMeter.id === balance.usageMeterId)
                  ?.points
              }
            />
          </SimpleGrid>
        ))}
      </Stack>
    </Section>
  );
}

function Meter({ balance }: { readonly balance: Balance }) {
  const { name, granted, used, available, overage, burnRatePerHour, runsOutAt } = balance;
  const share = granted === 0 ? 0 : Math.min(100, (used / granted) * 100);
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text fw={600}>{name}</Text>
        {overage > 0 && (
          <Badge color="orange" variant="light" tt="none">
            {numberText(overage)} beyond credits
          </Badge>
        )}
      </Group>
      <Progress
        value={share}
        color={share >= 100 ? 'orange' : 'toll'}
        size="lg"
        aria-label={`${name}: share of credits used`}
      />
      <Text size="sm">
        {numberText(used)} used of {numberText(granted)} granted; {numberText(available)} available
      </Text>
      <Text size="sm" c="dimmed">
        {burnRatePerHour > 0 ? `${numberText(Math.round(burnRatePerHour * 24))} a day` : 'At rest'}
        {runsOutAt && (
          <>
            {' · runs out '}
            <Instant at={runsOutAt} />
          </>
        )}
      </Text>
    </Stack>
  );
}

interface CourseProps {
  readonly name: string;
  readonly points: readonly { readonly start: number; readonly usage: number }[] | undefined;
}

function Course({ name, points }: CourseProps) {
  if (!points) return null;
  const data = points.map(({ start, usage }) => ({ label: bucketLabel(start, 'day'), usage }));
  return (
    <AreaChart
      h={130}
      data={data}
      dataKey="label"
      series={[{ name: 'usage', label: name, color: 'toll.7' }]}
      withDots={false}
      gridAxis="none"
      tickLine="none"
      valueFormatter={numberText}
      yAxisProps={{ width: 44, tickCount: 3, tickFormatter: shortNumberText }}
      areaProps={{ isAnimationActive: false }}
    />
  );
}
