import { Button, Text, Timeline } from '@mantine/core';
import { useState } from 'react';
import { useLive } from '../../live/use-live.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { dayText } from '../../parts/texts/days.ts';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { PeriodRecords, PeriodTitle, periodColor } from './period.tsx';
import { SubscriptionPeriodsDocument } from './periods.generated.ts';
import type { Subscription } from './subscription.ts';

const step = 12;

/** The billing periods of a subscription with their invoices and runs, newest first, below what is scheduled. */
export function Periods({ subscription }: { readonly subscription: Subscription }) {
  const { id, customer, cancelScheduledAt, scheduledAdjustmentAt, status } = subscription;
  const { pauseScheduledAt, resumesAt } = subscription;
  const [first, setFirst] = useState(step);
  const { data, error, reload } = useLive(
    SubscriptionPeriodsDocument,
    { id, first },
    {
      kinds: ['subscription', 'billing_period', 'billing_run', 'invoice'],
      customerId: customer.id,
    },
  );
  const { nodes = [], totalCount = 0 } = data?.subscription?.billingPeriods ?? {};
  const isOpen = !['canceled', 'incomplete_expired'].includes(status);
  if (error && nodes.length === 0) return <Failure error={error} onRetry={reload} />;
  if (totalCount === 0) return null;
  return (
    <Section title="Billing periods">
      <Timeline bulletSize={14} lineWidth={2} active={nodes.length - 1} reverseActive>
        {isOpen && scheduledAdjustmentAt && (
          <Scheduled title="The items change" at={scheduledAdjustmentAt} color="blue" />
        )}
        {resumesAt && <Scheduled title="The pause ends" at={resumesAt} color="green" />}
        {pauseScheduledAt && (
          <Scheduled title="The subscription pauses" at={pauseScheduledAt} color="gray" />
        )}
        {isOpen && cancelScheduledAt && (
          <Scheduled title="The subscription ends" at={cancelScheduledAt} color="orange" />
        )}
        {nodes.map((period) => (
          <Timeline.Item
            key={period.id}
            color={periodColor(period.status)}
            title={<PeriodTitle period={period} />}
          >
            <PeriodRecords period={period} />
          </Timeline.Item>
        ))}
      </Timeline>
      {totalCount > nodes.length && (
        <Button
          variant="default"
          size="xs"
          mt="md"
          onClick={() => setFirst((shown) => shown + step)}
        >
          Show older periods ({totalCount - nodes.length})
        </Button>
      )}
    </Section>
  );
}

interface ScheduledProps {
  readonly title: string;
  readonly at: number;
  readonly color: string;
}

/** A change that waits for its time. */
const Scheduled = ({ title, at, color }: ScheduledProps) => (
  <Timeline.Item
    lineVariant="dashed"
    color={color}
    title={
      <Text span size="sm" fw={600}>
        {title}
      </Text>
    }
  >
    <Dimmed>{dayText(at)}</Dimmed>
  </Timeline.Item>
);
