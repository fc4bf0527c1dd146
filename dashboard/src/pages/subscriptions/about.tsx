import { Text } from '@mantine/core';
import {
  AboutSection,
  customerFact,
  idFact,
  linkFact,
  moneyFact,
  timeFact,
} from '../../parts/fact-kinds.tsx';
import type { SomeFacts } from '../../parts/facts.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { intervalText } from '../../parts/texts/interval-text.ts';
import { metadataFacts } from '../../parts/texts/metadata-facts.ts';
import { methodName } from '../../parts/texts/method-name.ts';
import { presentDiscount } from './changes/discount-dialogs.tsx';
import { discountText } from './changes/discount-text.ts';
import type { Subscription } from './subscription.ts';

/** The facts of a subscription. */
export function About({ subscription }: { readonly subscription: Subscription }) {
  const { customer, currency, mrr, interval, intervalCount } = subscription;
  const { currentBillingPeriodStart: start, currentBillingPeriodEnd: end } = subscription;
  const { testClock } = customer;
  return (
    <AboutSection
      facts={[
        customerFact(customer),
        moneyFact('MRR', mrr, currency),
        [
          'Renews',
          interval
            ? wordsOf(intervalText({ intervalUnit: interval, intervalCount }, 'every'))
            : 'Does not renew',
        ],
        [
          'Period',
          start === null ? null : (
            <Text key="period" span size="sm">
              <Instant at={start} /> – <Instant at={end} />
            </Text>
          ),
        ],
        timeFact('Since', subscription.startDate),
        ...paymentFacts(subscription),
        ...endFacts(subscription),
        testClock &&
          linkFact('Test clock', `/test-clocks/${testClock.id}`, testClock.name ?? testClock.id),
        ...metadataFacts(subscription.metadata),
        idFact(subscription.id),
      ]}
    />
  );
}

/** How a subscription is paid. */
function paymentFacts(subscription: Subscription): SomeFacts {
  const { collectionMethod, daysUntilDue, doNotCharge, paidUntil, currency } = subscription;
  const { defaultPaymentMethod, backupPaymentMethod } = subscription;
  const redemption = presentDiscount(subscription);
  const terms = daysUntilDue === null ? '' : `, due after ${daysUntilDue} days`;
  return [
    ['Payment', doNotCharge ? 'Is never charged' : `${wordsOf(collectionMethod)}${terms}`],
    !doNotCharge && [
      'Payment method',
      defaultPaymentMethod ? methodName(defaultPaymentMethod) : 'The default of the customer',
    ],
    backupPaymentMethod && ['Backup', methodName(backupPaymentMethod)],
    paidUntil && timeFact('Paid elsewhere until', paidUntil),
    redemption && ['Discount', discountText(redemption, currency)],
  ];
}

/** When a subscription begins to be paid, and when it ends. */
function endFacts(subscription: Subscription): SomeFacts {
  const { trialEnd, canceledAt, cancelScheduledAt, cancellationReason, billAt } = subscription;
  const { pausedAt, pauseScheduledAt, resumesAt, pauseBilling, pauseEntitlements } = subscription;
  const { anchored, billingCycleAnchorDate, remainingPeriods, draftWindowHours } = subscription;
  const { replacedBySubscription: next } = subscription;
  return [
    trialEnd && timeFact('Trial until', trialEnd),
    pausedAt && timeFact('Paused since', pausedAt),
    pauseScheduledAt && timeFact('Pauses', pauseScheduledAt),
    pauseBilling === 'keeps' && ['In the pause', 'Periods are charged'],
    pauseEntitlements === 'on' && ['In the pause', 'Features stay'],
    resumesAt && timeFact('Resumes', resumesAt),
    anchored && billingCycleAnchorDate && timeFact('Periods repeat from', billingCycleAnchorDate),
    remainingPeriods !== null &&
      !canceledAt && [
        'Periods after this one',
        remainingPeriods === 0 ? 'None: it ends with this one' : remainingPeriods,
      ],
    draftWindowHours !== null && ['Late usage counts for', `${draftWindowHours} hours`],
    billAt !== null && moneyFact('Bills usage at', billAt, subscription.currency),
    cancelScheduledAt && !canceledAt && timeFact('Ends', cancelScheduledAt),
    canceledAt && timeFact('Canceled', canceledAt),
    cancellationReason && ['Reason', wordsOf(cancellationReason)],
    next && linkFact('Replaced by', `/subscriptions/${next.id}`, next.name ?? next.id),
  ];
}
