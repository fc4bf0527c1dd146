import { unreadProblems } from '../source/known-fields.ts';
import type { Raw } from '../source/read-lists.ts';
import type {
  Problem,
  SourcePhase,
  SourceRedemption,
  SourceSubscription,
} from '../source/source.ts';
import { carryDiscounts, reductionsIn } from './discounts.ts';
import { boundaryAt, endAt, paymentsUntil, type SourceEnd, type Timeline } from './ends.ts';
import { slugIn } from './prices.ts';
import type {
  StripeDiscount,
  StripePhaseDiscounts,
  StripeSchedule,
  StripeSubscription,
} from './shapes.ts';
import { scheduleFields } from './subscription-fields.ts';
import type { SubscriptionPlace } from './subscriptions.ts';

type Phase = StripeSchedule['phases'][number];

/** A schedule, also as its file has it. */
export interface ReadSchedule {
  readonly one: StripeSchedule;
  readonly raw: Raw;
}

/** A subscription that is imported, also as the export has it. */
export interface Planned {
  readonly source: SourceSubscription;
  readonly one: StripeSubscription;
}

interface Place extends SubscriptionPlace {
  readonly lose: (message: string) => void;
}

/** The schedules that are still to be followed. */
const present = new Set(['not_started', 'active']);

/** The ids of the subscriptions whose schedules are followed. */
export const scheduledIn = (schedules: readonly StripeSchedule[]): ReadonlySet<string> =>
  new Set(
    schedules.flatMap(({ status, subscription }) =>
      present.has(status) && subscription ? subscription : [],
    ),
  );

/**
 * Gives subscriptions the later phases of their schedules. A phase that cannot be planned is left out with the reason.
 * `named` are the ids of all subscriptions of the export.
 */
export function withSchedules(
  subscriptions: readonly Planned[],
  schedules: readonly ReadSchedule[],
  place: SubscriptionPlace,
  named: ReadonlySet<string>,
): { subscriptions: SourceSubscription[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const byId = new Map(subscriptions.map((one) => [one.source.externalId, one]));
  const planned = new Map<string, Partial<SourceSubscription>>();
  const active = activeBySubscription(schedules);
  for (const { one: schedule, raw } of schedules) {
    const { id, status, subscription } = schedule;
    const record = `subscription schedule ${id}`;
    const lose = (message: string) => problems.push({ record, message, isLeftOut: true });
    if (status === 'not_started') {
      lose('has not started: create the subscription here, with its phases');
      continue;
    }
    if (!present.has(status)) continue;
    const others = (active.get(subscription ?? '') ?? []).filter((other) => other !== id);
    if (others.length > 0) {
      lose(
        `has the subscription ${subscription}, which follows ${others.join(', ')}, too: none of these is carried over. Export the lists again`,
      );
      continue;
    }
    const own = byId.get(subscription ?? '');
    if (!own) {
      if (!named.has(subscription ?? ''))
        lose(`has the subscription ${subscription}, which subscriptions.json lacks`);
      continue;
    }
    problems.push(...unreadProblems(record, laterOf(schedule, raw), scheduleFields));
    planned.set(own.source.externalId, follow(schedule, own, { ...place, lose }));
  }
  return {
    subscriptions: subscriptions.map(({ source }) => ({
      ...source,
      ...planned.get(source.externalId),
    })),
    problems,
  };
}

/** The ids of the active schedules, by their subscriptions. At Stripe a subscription follows one. */
function activeBySubscription(schedules: readonly ReadSchedule[]): ReadonlyMap<string, string[]> {
  const active = schedules.filter(({ one }) => one.status === 'active');
  const groups = Map.groupBy(active, ({ one }) => one.subscription ?? '');
  return new Map([...groups].map(([id, list]) => [id, list.map(({ one }) => one.id)]));
}

const hasBegun = ({ current_phase }: StripeSchedule, { start_date }: Phase) =>
  current_phase != null && start_date <= current_phase.start_date;

/** A schedule as its file has it, with null for phases that have begun: the subscription has their state. */
function laterOf(schedule: StripeSchedule, raw: Raw): Raw {
  const phases = raw.phases as readonly unknown[];
  return {
    ...raw,
    phases: phases.map((phase, place) =>
      hasBegun(schedule, schedule.phases[place] as Phase) ? null : phase,
    ),
  };
}

/** The phases of a schedule, and the end of its subscription. */
function follow(
  schedule: StripeSchedule,
  { source, one }: Planned,
  place: Place,
): Partial<SourceSubscription> {
  const { end_behavior, phases, default_settings } = schedule;
  const times = timelineOf(source, place);
  const later = phases.filter((phase) => !hasBegun(schedule, phase));
  const isTaxed = Boolean(one.automatic_tax?.enabled);
  const planned = [default_settings, ...later].map((terms) => terms?.automatic_tax?.enabled);
  if (planned.some((enabled) => enabled != null && enabled !== isTaxed))
    place.lose('automatic_tax is not carried over: it changes with a phase there');
  const isSame = later.every((phase) => hasInterval(phase, times, place));
  const ends: Partial<SourceEnd> = {};
  const [last] = phases.slice(-1);
  if (!['release', 'cancel'].includes(end_behavior))
    place.lose(`end_behavior is not carried over: after its phases it is to ${end_behavior} there`);
  if (end_behavior === 'cancel' && last?.end_date && !one.cancel_at && !one.cancel_at_period_end) {
    const end = last.end_date;
    Object.assign(ends, isSame ? endAt(end, times) : { endsAt: end });
  } else if (one.cancel_at && source.periodCount !== undefined && !isSame) {
    // The phases have other intervals, so the number of periods is another one.
    Object.assign(ends, { periodCount: undefined, endsAt: one.cancel_at });
  }
  const collected = later.map((phase) => ({ ...phase, ...collectionOf(phase, default_settings) }));
  return { ...ends, phases: phasesOf(collected, source, one, times, place) };
}

/** How a phase collects money: by terms of its own, or by those of its schedule. */
function collectionOf(phase: Phase, settings: StripeSchedule['default_settings']) {
  const days = phase.invoice_settings?.days_until_due ?? settings?.invoice_settings?.days_until_due;
  return {
    collection_method: phase.collection_method ?? settings?.collection_method,
    default_payment_method: phase.default_payment_method ?? settings?.default_payment_method,
    invoice_settings: { days_until_due: days },
  };
}

function phasesOf(
  later: readonly Phase[],
  source: SourceSubscription,
  one: StripeSubscription,
  times: Timeline,
  place: Place,
): SourcePhase[] {
  return later.flatMap((phase) => {
    const day = phase.start_date.toISOString();
    const lose = (message: string) => place.lose(`has a phase from ${day} ${message}`);
    const planned = phaseOf(phase, source, one, times, { ...place, lose });
    if (typeof planned === 'string') {
      lose(planned);
      return [];
    }
    const boundary = boundaryAt(times, phase.start_date);
    if (boundary.getTime() === phase.start_date.getTime()) return [planned];
    if (phase.proration_behavior !== 'none' && hasInterval(phase, times, place))
      return [{ ...planned, timing: 'at_date' as const }];
    lose(`within a period: it starts here on ${boundary.toISOString()}`);
    return [planned];
  });
}

/** The phase, or the reason why it is left out. */
function phaseOf(
  phase: Phase,
  source: SourceSubscription,
  one: StripeSubscription,
  times: Timeline,
  place: Place,
): SourcePhase | string {
  const { prices, products, lose } = place;
  const currency = phase.currency ?? one.currency ?? undefined;
  if (one.currency && currency !== one.currency)
    return `in ${currency}, and the subscription is in ${one.currency}: create another one by hand`;
  const priced = phase.items.map((item) => ({ item, slug: slugOf(item.price, currency, place) }));
  const unknown = priced.find(({ slug }) => slug === undefined);
  if (unknown)
    return `with the price ${unknown.item.price}, which is neither imported nor a slug here: plan it by hand`;
  const isUsage = ({ slug }: { readonly slug: string | undefined }) =>
    prices.get(slug ?? '')?.type === 'usage';
  const licensed = priced.filter((one) => !isUsage(one));
  const metered = priced.filter(isUsage);
  if (licensed.length === 0) return 'with usage only: cancel the subscription here at that time';
  tellTerms(phase, one, lose);
  const whole = wholeOf(phase, source, times, place);
  const productOf = ({ item }: { readonly item: Phase['items'][number] }) =>
    products.get(item.price);
  const reduced = carryDiscounts(
    {
      currency: currency ?? '',
      products: licensed.map(productOf),
      meteredProducts: metered.map(productOf),
      hasPhases: true,
    },
    whole,
    licensed.map(({ item }) =>
      reductionsOf(item.discounts, 'with discounts of an item', phase, times, place),
    ),
    place.discounts,
    lose,
  );
  if (reduced.redemption)
    lose(
      `with the coupon of the code ${reduced.redemption.code}: a subscription has one discount for all phases`,
    );
  const had = new Set(
    source.items.flatMap(({ priceSlug, discountPercentage, unitPrice }) =>
      discountPercentage !== undefined || unitPrice !== undefined ? priceSlug : [],
    ),
  );
  return {
    startsAt: phase.start_date,
    items: licensed.map(({ item, slug = '' }, at) => ({
      priceSlug: slug,
      quantity: item.quantity,
      ...(had.has(slug) && { discountPercentage: null }),
      ...reduced.items[at],
    })),
  };
}

function slugOf(id: string, currency: string | undefined, { prices }: Place): string | undefined {
  const own = prices.get(id);
  if (!own) return undefined;
  const slug = currency !== undefined && own.currency !== currency ? slugIn(id, currency) : id;
  return prices.has(slug) ? slug : undefined;
}

/** Tells of terms of a phase that differ from those of the subscription. */
function tellTerms(phase: Phase, one: StripeSubscription, lose: (message: string) => void) {
  const { trial, trial_end, billing_cycle_anchor, collection_method, default_payment_method } =
    phase;
  if (trial || trial_end) lose('with a trial: give its items a trial here when it has started');
  if (billing_cycle_anchor === 'phase_start')
    lose('with billing_cycle_anchor phase_start: it begins a period there');
  if (collection_method && collection_method !== one.collection_method)
    lose(`with collection_method ${collection_method}: change it here at that time`);
  if (default_payment_method && default_payment_method !== one.default_payment_method)
    lose(`with default_payment_method ${default_payment_method}: change it here at that time`);
  const days = phase.invoice_settings?.days_until_due;
  const isInvoiced = (collection_method ?? one.collection_method) === 'send_invoice';
  if (isInvoiced && days != null && days !== one.days_until_due)
    lose(`with invoice_settings.days_until_due ${days}: change it here at that time`);
}

/**
 * The discounts of all items of a phase. Those that the subscription has redeemed continue by themselves; where a phase
 * has others, they are reported.
 */
function wholeOf(phase: Phase, source: SourceSubscription, times: Timeline, place: Place) {
  const list = reductionsOf(phase.discounts, 'with discounts', phase, times, place);
  const { redemption } = source;
  if (!redemption) return list;
  const code = (id: string) => place.discounts.coupons.codes.get(id);
  const rest = list.filter(({ coupon }) => code(coupon.id) !== redemption.code);
  const lasts = phase.start_date < lastPayment(redemption, times);
  if (lasts && rest.length === list.length)
    place.lose(`without the discount ${redemption.code}: the subscription keeps it here`);
  return rest;
}

/** The instant after the last payment that a redemption reduces. */
function lastPayment({ payments, months }: SourceRedemption, times: Timeline): Date {
  if (months) return months.end;
  if (payments === undefined) return new Date(8.64e15);
  let at = times.next;
  for (let count = 0; count < payments; count++) at = boundaryAt(times, new Date(at.getTime() + 1));
  return at;
}

function reductionsOf(
  discounts: StripePhaseDiscounts,
  path: string,
  { start_date }: Phase,
  times: Timeline,
  { discounts: place, lose }: Place,
) {
  const named = (discounts ?? []).flatMap(
    ({ coupon, discount, promotion_code }): (string | StripeDiscount)[] => {
      if (discount) return [discount];
      if (coupon) return [{ coupon, start: start_date }];
      lose(`${path}: the promotion code ${JSON.stringify(promotion_code)} is not carried over`);
      return [];
    },
  );
  return reductionsIn(
    named,
    path,
    place,
    {
      next: start_date,
      countUntil: (end) => paymentsUntil({ ...times, next: boundaryAt(times, start_date) }, end),
    },
    lose,
  );
}

/** Whether all items of a phase have the interval of the subscription. */
const hasInterval = ({ items }: Phase, { interval }: Timeline, { prices }: SubscriptionPlace) =>
  items.every(({ price }) => {
    const { intervalUnit = 'month', intervalCount = 1 } = prices.get(price) ?? {};
    return intervalUnit === interval.unit && intervalCount === interval.count;
  });

/** When a subscription is billed, by its present interval. */
function timelineOf(source: SourceSubscription, { prices }: SubscriptionPlace): Timeline {
  const { startDate, trialEnd, paidUntil, items, billingCycleAnchorDate } = source;
  const { intervalUnit: unit = 'month', intervalCount: count = 1 } =
    prices.get(items[0]?.priceSlug ?? '') ?? {};
  const from = trialEnd ?? startDate;
  return {
    from,
    next: trialEnd ?? paidUntil ?? from,
    interval: { unit, count },
    billingCycleAnchorDate,
  };
}
