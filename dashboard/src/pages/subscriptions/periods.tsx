import { Badge, Text, Timeline } from '@mantine/core';
import { dayText } from '../../parts/formats.ts';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { OneSubscriptionQuery } from './subscription.generated.ts';

type Subscription = NonNullable<OneSubscriptionQuery['subscription']>;

/** The billing periods of a subscription, newest first, with the changes that are scheduled. */
export function Periods({ subscription }: { readonly subscription: Subscription }) {
  const { billingPeriods, cancelScheduledAt, scheduledAdjustmentAt, status } = subscription;
  const { nodes, totalCount } = billingPeriods;
  if (totalCount === 0) return null;
  const isOpen = status !== 'canceled';
  return (
    <Section title="Billing periods">
      <Timeline bulletSize={14} lineWidth={2} active={nodes.length}>
        {isOpen && scheduledAdjustmentAt && (
          <Timeline.Item lineVariant="dashed" title="A change of the plan is scheduled">
            <Text size="sm" c="dimmed">
              {dayText(scheduledAdjustmentAt)}
            </Text>
          </Timeline.Item>
        )}
        {isOpen && cancelScheduledAt && (
          <Timeline.Item lineVariant="dashed" color="orange" title="The subscription ends">
            <Text size="sm" c="dimmed">
              {dayText(cancelScheduledAt)}
            </Text>
          </Timeline.Item>
        )}
        {nodes.map(({ id, startDate, endDate, status, trialPeriod }) => (
          <Timeline.Item
            key={id}
            title={
              <Text span size="sm" fw={600}>
                {dayText(startDate)} – {dayText(endDate)}
              </Text>
            }
          >
            <StatusBadge status={status} />{' '}
            {trialPeriod && (
              <Badge variant="light" tt="none" radius="sm">
                Trial
              </Badge>
            )}
          </Timeline.Item>
        ))}
      </Timeline>
      {totalCount > nodes.length && (
        <Text size="sm" c="dimmed" mt="sm">
          {totalCount - nodes.length} older periods
        </Text>
      )}
    </Section>
  );
}
