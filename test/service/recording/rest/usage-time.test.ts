import { expect } from 'vitest';
import { countAllAcceptedUsage } from '#domain/recording/inbox/count-accepted-usage.ts';
import { fresh } from '../../../support/factories.ts';
import { test } from '../../../support/test.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

const present = Date.parse('2026-01-31T10:00:00Z');
const minute = 60_000;

/** Times of use that cannot be true, each with the reason of its refusal. */
const untrue = [
  ['6 minutes ahead', present + 6 * minute, /is ahead of 2026-01-31T10:00:00.000Z.*5 minutes/],
  ['two months ahead', '2026-03-20T00:00:00Z', /is ahead of 2026-01-31T10:00:00.000Z/],
  ['in seconds', present / 1_000, /must be in the year 2000 or later: a number is milliseconds/],
] as const;

test.for(untrue)(
  'a time of use %s is refused at every door, with the reason',
  async ([, usageDate, reason], { session, api, graphql }) => {
    const user = await aMeteredSubscription(session);
    const [known] = await use(session, user, 1);
    const event = (transactionId: string, time: unknown = usageDate) => ({
      ...{ subscriptionId: user.id, usageMeterSlug: user.slug, amount: 7 },
      ...{ transactionId, usageDate: time },
    });
    const { subscriptionId: _, usageMeterSlug: __, ...replacement } = event('replaced');
    const record = `mutation($usageEvent: UsageEventInput!) { recordUsageEvent(usageEvent: $usageEvent) { duplicates } }`;
    const answers = [
      await api('POST', '/usage-events', { usageEvent: event('single') }),
      await api('POST', '/usage-events/bulk', {
        usageEvents: [event('good', present), event('b')],
      }),
      await api('POST', `/usage-events/${known?.id}/replace`, {
        ...{ usageEvent: replacement, reason: 'A mistake' },
      }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body.issues).toEqual([
        { message: expect.stringMatching(new RegExp(`usageDate: ${reason.source}`)) },
      ]);
    }
    const { errors } = await graphql(record, { usageEvent: event('graph') });
    expect(errors[0].extensions.issues[0].message).toMatch(reason);
    const accepted = await api(
      ...(['POST', '/usage-events', { usageEvent: event('accepted') }] as const),
      { headers: { prefer: 'respond-async' } },
    );
    await countAllAcceptedUsage(fresh(session));
    const { body: refusals } = await api('GET', '/usage-refusals');
    expect(JSON.stringify([accepted.body, refusals])).toMatch(reason);
    const { body } = await api('GET', '/usage-events');
    expect(body.data).toHaveLength(1);
  },
);
