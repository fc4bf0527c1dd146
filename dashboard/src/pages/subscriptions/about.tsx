import { Text } from '@mantine/core';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { IdText } from '../../parts/texts/id-text.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { intervalText } from '../../parts/texts/interval-text.ts';
import { metadataFacts } from '../../parts/texts/metadata-facts.ts';
import { methodName } from '../../parts/texts/method-name.ts';
import { Money } from '../../parts/texts/money.tsx';
import { PageLink } from '../../parts/texts/small-texts.tsx';
import { presentDiscount } from './changes/discount-dialogs.tsx';
import { discountText } from './changes/discount-text.ts';
import type { Subscription } from './subscription.ts';

type Fact = readonly [string, React.ReactNode];

const link = (path: string, name: string) => <PageLink to={path}>{name}</PageLink>;

/** The facts of a subscription. */
export function About({ subscription }: { readonly subscription: Subscription }) {
  const { customer, currency, mrr, interval, intervalCount } = subscription;
  const { testClock } = customer;
  return (
    <Section title="About">
      <Facts
        facts={[
          ['Customer', link(`/customers/${customer.id}`, customer.name)],
          ['MRR', <Money key="mrr" amount={mrr} currency={currency} />],
          [
            'Renews',
            interval
              ? wordsOf(intervalText({ intervalUnit: interval, intervalCount }, 'every'))
              : 'Does not renew',
          ],
          [
            'Period',
            subscription.currentBillingPeriodStart === null ? (
              '—'
            ) : (
              <Text key="period" span size="sm">
                <Instant at={subscription.currentBillingPeriodStart} /> –{' '}
                <Instant at={subscription.currentBillingPeriodEnd} />
              </Text>
            ),
          ],
          ['Since', <Instant key="since" at={subscription.startDate} />],
          ...paymentFacts(subscription),
          ...endFacts(subscription),
          ...(testClock
            ? [
                [
                  'Test clock',
                  link(`/test-clocks/${testClock.id}`, testClock.name ?? testClock.id),
                ] as const,
              ]
            : []),
          ...metadataFacts(subscription.metadata),
          ['Id', <IdText key="id" id={subscription.id} />],
        ]}
      />
    </Section>
  );
}

/** How a subscription is paid. */
function paymentFacts(subscription: Subscription): Fact[] {
  const { collectionMethod, daysUntilDue, doNotCharge, paidUntil, currency } = subscription;
  const { defaultPaymentMethod, backupPaymentMethod } = subscription;
  const redemption = presentDiscount(subscription);
  const terms = daysUntilDue === null ? '' : `, due after ${daysUntilDue} days`;
  const facts: Fact[] = [
    ['Payment', doNotCharge ? 'Is never charged' : `${wordsOf(collectionMethod)}${terms}`],
  ];
  if (!doNotCharge) {
    facts.push([
      'Payment method',
      defaultPaymentMethod ? methodName(defaultPaymentMethod) : 'The default of the customer',
    ]);
  }
  if (backupPaymentMethod) facts.push(['Backup', methodName(backupPaymentMethod)]);
  if (paidUntil) facts.push(['Paid elsewhere until', <Instant key="paid" at={paidUntil} />]);
  if (redemption) facts.push(['Discount', discountText(redemption, currency)]);
  return facts;
}

/** When a subscription begins to be paid, and when it ends. */
function endFacts(subscription: Subscription): Fact[] {
  const { trialEnd, canceledAt, cancelScheduledAt, cancellationReason } = subscription;
  const { pausedAt, pauseScheduledAt, resumesAt, pauseBilling, pauseEntitlements } = subscription;
  const { replacedBySubscription: next } = subscription;
  const facts: Fact[] = [];
  if (trialEnd) facts.push(['Trial until', <Instant key="trial" at={trialEnd} />]);
  if (pausedAt) facts.push(['Paused since', <Instant key="paused" at={pausedAt} />]);
  if (pauseScheduledAt) facts.push(['Pauses', <Instant key="pauses" at={pauseScheduledAt} />]);
  if (pauseBilling === 'keeps') facts.push(['In the pause', 'Periods are charged']);
  if (pauseEntitlements === 'on') facts.push(['In the pause', 'Features stay']);
  if (resumesAt) facts.push(['Resumes', <Instant key="resumes" at={resumesAt} />]);
  const { anchored, billingCycleAnchorDate, remainingPeriods, draftWindowHours, billAt } =
    subscription;
  if (anchored && billingCycleAnchorDate) {
    facts.push(['Periods repeat from', <Instant key="anchor" at={billingCycleAnchorDate} />]);
  }
  if (remainingPeriods !== null && !canceledAt) {
    const isLast = remainingPeriods === 0;
    facts.push([
      'Periods after this one',
      isLast ? 'None: it ends with this one' : remainingPeriods,
    ]);
  }
  if (draftWindowHours !== null) facts.push(['Late usage counts for', `${draftWindowHours} hours`]);
  if (billAt !== null) {
    const amount = <Money key="billAt" amount={billAt} currency={subscription.currency} />;
    facts.push(['Bills usage at', amount]);
  }
  if (cancelScheduledAt && !canceledAt)
    facts.push(['Ends', <Instant key="ends" at={cancelScheduledAt} />]);
  if (canceledAt) facts.push(['Canceled', <Instant key="canceled" at={canceledAt} />]);
  if (cancellationReason) facts.push(['Reason', wordsOf(cancellationReason)]);
  if (next) facts.push(['Replaced by', link(`/subscriptions/${next.id}`, next.name ?? next.id)]);
  return facts;
}
