import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import {
  type CreateSubscriptionInput,
  createSubscriptionInput,
} from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';
import { refusalIn } from '../source/refusal.ts';
import type { Report } from '../source/report.ts';
import type { Source, SourceSubscription } from '../source/source.ts';

/** A subscription with a valid input. */
export interface Checked {
  readonly one: SourceSubscription;
  readonly input: CreateSubscriptionInput;
}

/**
 * The subscriptions that are to be imported: those that are not here already, by their external ids, and that have a
 * valid input. The report names the others.
 */
export async function checkSubscriptions(
  session: Session,
  source: Source,
  report: Report,
  instant: Date,
): Promise<Checked[]> {
  const known = await knownIds(session, source.subscriptions);
  const subscriptions = source.subscriptions.filter(({ externalId }) => !known.has(externalId));
  report.keep('subscription', source.subscriptions.length - subscriptions.length);
  return checked(session, { ...source, subscriptions }, report, instant);
}

/** Those whose input is valid, and whose customer and prices are here or in the source. */
async function checked({ em }: Session, source: Source, report: Report, now: Date) {
  const customers = new Set(source.customers.map(({ externalId }) => externalId));
  const here = await namesOf(em, source.subscriptions);
  const prices = new Set([
    ...source.products.flatMap(({ prices }) => prices.map(({ slug }) => slug)),
    ...(await em.find(Price, {}, { fields: ['slug'] })).map(({ slug }) => slug),
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
    if (one.endsAt && one.endsAt <= now)
      return refuse(`ends on ${one.endsAt.toISOString()}, which is past`);
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

/** Several items, or one with terms of its own, are listed; any other one is the price of the subscription. */
function inputOf({
  endsWithPeriod: _,
  endsAt: __,
  chargesBackdated,
  items,
  ...one
}: SourceSubscription) {
  const [first] = items;
  const { priceSlug, quantity, ...own } = first ?? {};
  const hasTerms = Object.values(own).some((term) => term !== undefined);
  if (items.length > 1 || hasTerms) return { ...one, items };
  return { ...one, priceSlug, quantity };
}

/** The later items of a subscription. */
export const phasesOf = ({ phases }: SourceSubscription) => phases ?? [];

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
