import type { EntityManager } from '@mikro-orm/postgresql';
import { Customer } from '#domain/customers/customer.ts';
import { command } from '#domain/kernel/command.ts';
import { inBatches } from '#domain/kernel/in-batches.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/prices/price.ts';
import { cancelSubscription } from '#domain/subscriptions/cancel-subscription.ts';
import { subscribe } from '#domain/subscriptions/create-subscription.ts';
import { createSubscriptionInput } from '#domain/subscriptions/create-subscription-input.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import type { Open } from './import-catalog.ts';
import { refusalIn } from './refusal.ts';
import type { Report } from './report.ts';
import type { Source, SourceSubscription } from './source.ts';

interface Place {
  readonly em: EntityManager;
  readonly open: Open;
  readonly report: Report;
  readonly applies: boolean;
  /** The present of the new customers, which a test clock may tell. */
  readonly instant: Date;
}

/**
 * Imports subscriptions in batches. Periods before `paidUntil` are paid elsewhere, so nothing is charged that the other
 * system has charged. One that is here already, by its external id, stays as it is.
 */
export async function importSubscriptions(place: Place, source: Source) {
  const { em, open, report, applies, instant } = place;
  const known = await knownIds(open(), source.subscriptions);
  const added = source.subscriptions.filter(({ externalId }) => !known.has(externalId));
  report.keep('subscription', source.subscriptions.length - added.length);
  const fresh = await checked(open(), { ...source, subscriptions: added }, report, instant);
  if (!applies) {
    report.create('subscription', fresh.length);
    report.create(
      'phase',
      fresh.reduce((sum, { one }) => sum + phasesOf(one).length, 0),
    );
    return;
  }
  const outcomes = await inBatches(
    em,
    fresh.map(({ one, input }) => ({
      key: one.customerExternalId,
      open,
      work: (session: Session) => command(session, (session) => subscribe(session, input)),
    })),
  );
  for (const [n, outcome] of outcomes.entries()) {
    const one = fresh[n]?.one;
    if (!one) continue;
    const record = `subscription ${one.externalId}`;
    if (outcome?.status !== 'fulfilled') report.leaveOut(record, refusalIn(outcome?.reason));
    else {
      report.create('subscription');
      report.create('phase', phasesOf(one).length);
      if (one.endsWithPeriod) await end(open(), outcome.value.id, record, report);
    }
  }
}

async function end(session: Session, id: string, record: string, report: Report) {
  const cancellation = { timing: 'at_end_of_current_billing_period' } as const;
  try {
    await cancelSubscription(session, { id, cancellation });
  } catch (error) {
    report.problems.push({
      record,
      message: `does not end with its period: ${refusalIn(error)}`,
      isLeftOut: false,
    });
  }
}

/** Those whose input is valid, and whose customer and prices are here or in the source. */
async function checked({ em }: Session, source: Source, report: Report, now: Date) {
  const customers = new Set(source.customers.map(({ externalId }) => externalId));
  const here = await namesOf(em, source.subscriptions);
  const prices = new Set([
    ...source.products.flatMap(({ prices }) => prices.map(({ slug }) => slug)),
    ...(await em.find(Price, { active: true }, { fields: ['slug'] })).map(({ slug }) => slug),
  ]);
  return source.subscriptions.flatMap((one) => {
    const refuse = (message: string) => {
      report.leaveOut(`subscription ${one.externalId}`, message);
      return [];
    };
    const { customerExternalId, items, paidUntil, trialEnd } = one;
    if (!customers.has(customerExternalId) && !here.has(customerExternalId)) {
      return refuse(`has the customer ${customerExternalId}, which is neither imported nor here`);
    }
    const unknown = items.find(({ priceSlug }) => !prices.has(priceSlug));
    if (unknown)
      return refuse(`has the price ${unknown.priceSlug}, which is neither imported nor here`);
    const planned = phasesOf(one).flatMap(({ items }) => items);
    const missing = planned.find(({ priceSlug }) => !prices.has(priceSlug));
    if (missing)
      return refuse(
        `has a phase with the price ${missing.priceSlug}, which is neither imported nor here`,
      );
    const past = phasesOf(one).find(({ startsAt }) => startsAt <= now);
    if (past)
      return refuse(
        `has a phase from ${past.startsAt.toISOString()}, which is past: its items are those of the subscription`,
      );
    const until = trialEnd ?? paidUntil;
    if (until && until <= now) {
      return refuse(`is paid until ${until.toISOString()} only: export it again after its renewal`);
    }
    if (!until && one.startDate < now && !one.chargesBackdated) {
      return refuse(
        `begins on ${one.startDate.toISOString()} without paid_until: name the end of the last paid period, or charge the elapsed periods with the backdate charge`,
      );
    }
    const input = createSubscriptionInput.safeParse(inputOf(one));
    if (!input.success) return refuse(refusalIn(input.error));
    return [{ one, input: input.data }];
  });
}

/** Several items, or one with a trial of its own, are listed; any other one is the price of the subscription. */
function inputOf({ endsWithPeriod: _, chargesBackdated, items, ...one }: SourceSubscription) {
  const [first] = items;
  if (items.length > 1 || !first || first.trialEnd) return { ...one, items };
  const { priceSlug, quantity } = first;
  return { ...one, priceSlug, quantity };
}

const phasesOf = ({ phases }: SourceSubscription) => phases ?? [];

const pageSize = 5_000;

async function knownIds({ em }: Session, subscriptions: readonly SourceSubscription[]) {
  const names = subscriptions.map(({ externalId }) => externalId);
  const known = new Set<string>();
  for (let from = 0; from < names.length; from += pageSize) {
    const page = names.slice(from, from + pageSize);
    const fork = em.fork({ clear: true });
    const found = await fork.find(
      Subscription,
      { externalId: { $in: page } },
      { fields: ['externalId'] },
    );
    for (const { externalId } of found) if (externalId) known.add(externalId);
  }
  return known;
}

async function namesOf(em: Session['em'], subscriptions: readonly SourceSubscription[]) {
  const names = [...new Set(subscriptions.map(({ customerExternalId }) => customerExternalId))];
  const here = new Set<string>();
  for (let from = 0; from < names.length; from += pageSize) {
    const page = names.slice(from, from + pageSize);
    const fork = em.fork({ clear: true });
    const found = await fork.find(
      Customer,
      { externalId: { $in: page } },
      { fields: ['externalId'] },
    );
    for (const { externalId } of found) here.add(externalId);
  }
  return here;
}
