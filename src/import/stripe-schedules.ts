import { nextBoundary } from '#domain/rules/periods/next-boundary.ts';
import type { Problem, SourcePhase, SourcePrice, SourceSubscription } from './source.ts';
import type { StripeSchedule } from './stripe-shapes.ts';

type Phase = StripeSchedule['phases'][number];

interface Place {
  readonly prices: ReadonlyMap<string, SourcePrice>;
  /** The slugs of prices that exist here. */
  readonly known: ReadonlySet<string>;
  readonly problems: Problem[];
}

/** Gives subscriptions the later phases of their schedules. A phase that cannot be planned is left out with the reason. */
export function withSchedules(
  subscriptions: readonly SourceSubscription[],
  schedules: readonly StripeSchedule[],
  { prices, known }: Omit<Place, 'problems'>,
) {
  const problems: Problem[] = [];
  const byId = new Map(subscriptions.map((one) => [one.externalId, one]));
  const planned = new Map<string, SourcePhase[]>();
  for (const schedule of schedules) {
    const { id, status, subscription } = schedule;
    const record = `subscription schedule ${id}`;
    if (status === 'not_started') {
      const message = 'has not started: create the subscription here, with its phases';
      problems.push({ record, message, isLeftOut: true });
      continue;
    }
    const own = byId.get(subscription ?? '');
    if (status !== 'active' || !own) continue;
    planned.set(own.externalId, phasesOf(schedule, own, { prices, known, problems }));
  }
  return {
    subscriptions: subscriptions.map((one) => ({ ...one, phases: planned.get(one.externalId) })),
    problems,
  };
}

function phasesOf(schedule: StripeSchedule, subscription: SourceSubscription, place: Place) {
  const { id, current_phase, end_behavior, phases } = schedule;
  const begun = current_phase?.start_date;
  const later = phases.filter(({ start_date }) => !begun || start_date > begun);
  const [last] = phases.slice(-1);
  if (end_behavior === 'cancel' && last?.end_date) {
    place.problems.push({
      record: `subscription schedule ${id}`,
      message: `ends the subscription on ${last.end_date.toISOString()}: cancel it here at that time`,
      isLeftOut: false,
    });
  }
  return later.flatMap((phase) => {
    const record = `subscription schedule ${id}`;
    const day = phase.start_date.toISOString();
    const note = (message: string, isLeftOut: boolean) =>
      place.problems.push({ record, message: `has a phase from ${day} ${message}`, isLeftOut });
    const planned = phaseOf(phase, place, (message) => note(message, false));
    if (typeof planned === 'string') {
      note(planned, true);
      return [];
    }
    const boundary = boundaryOf(subscription, place.prices, phase.start_date);
    if (boundary.getTime() === phase.start_date.getTime()) return [planned];
    if (startsAtDate(phase, subscription, place.prices))
      return [{ ...planned, timing: 'at_date' as const }];
    note(`within a period: it starts here on ${boundary.toISOString()}`, false);
    return [planned];
  });
}

/** The phase, or the reason why it is left out. */
function phaseOf(
  { start_date, items, discounts, trial_end }: Phase,
  { prices, known }: Place,
  warn: (message: string) => void,
): SourcePhase | string {
  const own = items.filter(({ price }) => prices.get(price)?.type !== 'usage');
  if (own.length === 0) return 'with usage only: cancel the subscription here at that time';
  const unknown = own.find(({ price }) => !prices.has(price) && !known.has(price));
  if (unknown)
    return `with the price ${unknown.price}, which is neither imported nor a slug here: plan it by hand`;
  if (discounts?.length || own.some((item) => item.discounts?.length))
    warn('with discounts: change the phase here, or add a discount by hand');
  if (trial_end) warn('with a trial: give its items a trial here when it has started');
  return {
    startsAt: start_date,
    items: own.map(({ price, quantity }) => ({ priceSlug: price, quantity })),
  };
}

/** Whether a phase within a period starts at its date: it is prorated there, and has the interval of the subscription. */
function startsAtDate(
  { items, proration_behavior }: Phase,
  subscription: SourceSubscription,
  prices: ReadonlyMap<string, SourcePrice>,
): boolean {
  const intervalOf = (slug = '') => {
    const { intervalUnit = 'month', intervalCount = 1 } = prices.get(slug) ?? {};
    return `${intervalCount} ${intervalUnit}`;
  };
  const present = intervalOf(subscription.items[0]?.priceSlug);
  return proration_behavior !== 'none' && items.every(({ price }) => intervalOf(price) === present);
}

/** The first boundary of a subscription at an instant or later, by its present interval. */
function boundaryOf(
  { startDate, trialEnd, items }: SourceSubscription,
  prices: ReadonlyMap<string, SourcePrice>,
  at: Date,
): Date {
  const { intervalUnit: unit = 'month', intervalCount: count = 1 } =
    prices.get(items[0]?.priceSlug ?? '') ?? {};
  const from = trialEnd ?? startDate;
  return at <= from ? from : nextBoundary(from, { unit, count }, new Date(at.getTime() - 1));
}
