import { Alert, Stack, Text } from '@mantine/core';
import { AboutSection, customerFact, idFact, subscriptionFact } from '../../parts/fact-kinds.tsx';
import type { Fact } from '../../parts/facts.tsx';
import { dayText, instantText } from '../../parts/texts/days.ts';
import { numberText, wordsOf } from '../../parts/texts/formats.ts';
import { priceDetails, priceText } from '../../parts/texts/price-terms.ts';
import { PageLink } from '../../parts/texts/small-texts.tsx';
import { entriesOf } from './properties.ts';
import type { OneUsageEventQuery } from './usage-events.generated.ts';

type UsageEvent = NonNullable<OneUsageEventQuery['usageEvent']>;

/** The amount, customer and price of a usage event. */
export function AboutUsageEvent({ event }: { readonly event: UsageEvent }) {
  const { price, billingPeriod: period } = event;
  const rate = [priceText(price), ...priceDetails(price)].join('; ');
  return (
    <AboutSection
      facts={[
        customerFact(event.customer),
        subscriptionFact(event.subscription),
        ['Time of use', instantText(event.usageDate)],
        ['Recorded', instantText(event.createdAt)],
        ['Price', price.slug ? `${rate} (${price.slug})` : rate],
        [
          'Billing period',
          period ? `${dayText(period.startDate)} – ${dayText(period.endDate)}` : 'None',
        ],
        ['Aggregation', wordsOf(event.usageMeter.aggregationType)],
        ['Transaction id', event.transactionId],
        idFact(event.id),
        ...entriesOf(event.properties).map(
          ([name, value]): Fact => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ],
        ),
      ]}
    />
  );
}

/** Which event this one replaces, and whether it is void or replaced itself. */
export function Correction({ event }: { readonly event: UsageEvent }) {
  const { id, voidedAt, voidReason, replacedBy, history } = event;
  const before = history.nodes
    .find(({ type }) => type === 'usage_event.recorded')
    ?.cause?.events.nodes.find(
      ({ type, objectId }) => type === 'usage_event.replaced' && objectId !== id,
    );
  if (!voidedAt && !before) return null;
  return (
    <Alert variant="light" color={voidedAt ? 'gray' : 'blue'} title="Correction">
      <Stack gap={4}>
        {before && (
          <Text size="sm">
            It replaces{' '}
            <PageLink to={`/usage/events/${before.objectId}`} inherit>
              an earlier event
            </PageLink>
            .
          </Text>
        )}
        {voidedAt && (
          <Text size="sm">
            It does not count since {instantText(voidedAt)}. Reason: <bdi>{voidReason}</bdi>
          </Text>
        )}
        {replacedBy && (
          <Text size="sm">
            <PageLink to={`/usage/events/${replacedBy.id}`} inherit>
              {numberText(replacedBy.amount)} at {instantText(replacedBy.usageDate)}
            </PageLink>{' '}
            counts in its place.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
