/**
 * An independent model of one customer, written from the guides: what a subscription costs, when it is billed, how many
 * seats it has and what its usage is. It shares no code with the service.
 */
export interface Plan {
  readonly slug: string;
  /** The price of a month, in minor units. */
  readonly price: number;
}

export const seats = 5;
/** The amounts of usage that are reported are multiples of it. */
export const unit = 10;

/** An invoice: its total, and what became of its payment. */
export interface Bill {
  /** The id, once the service has stated it. */
  id?: string;
  readonly total: number;
  /** Whether it is unpaid, waits for a confirmation of the customer, or was written off after the last retry. */
  owed?: keyof typeof statusOfOwed | undefined;
  refunded: number;
  /** The dispute about its payment at the processor, and what the service is known to have heard of it. */
  dispute?: { status: DisputeStatus; heard?: DisputeStatus | undefined };
}

const statusOfOwed = {
  declined: 'open',
  challenged: 'awaiting_payment_confirmation',
  'written off': 'uncollectible',
} as const;

export type DisputeStatus = 'opened' | 'won' | 'lost';

/** The status that an invoice must have. */
export function statusOf({ total, owed, refunded, dispute }: Bill): string {
  if (owed) return statusOfOwed[owed];
  // The money is taken away, and not asked for again.
  if (dispute?.heard === 'lost') return 'uncollectible';
  if (refunded === 0) return 'paid';
  return refunded === total ? 'refunded' : 'partially_refunded';
}

export class Model {
  /** The instant of the test clock. */
  now: Date;
  readonly anchorDay: Date;
  plan: Plan;
  /** The plan that the end of the period brings. */
  planned: Plan | undefined;
  periodStart: Date;
  periodEnd: Date;
  /** The anchor from which periods repeat, and how many months they are from there. */
  private anchor: Date;
  private months = 1;
  status: 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled' = 'active';
  /** Usage that no invoice has billed. */
  usage = 0;
  claimed = 0;
  /** Reserved seats, until they are claimed or their time is over. */
  readonly reservations = new Map<string, { quantity: number; expiresAt: number }>();
  /** All invoices, the oldest first. */
  readonly bills: Bill[] = [];
  /** Whether a period is running. */
  hasPeriod = true;
  /** Whether the period ended during the pause. */
  private isOver = false;

  /** Minor units for each `unit` of usage. */
  private readonly usagePrice: number;

  constructor(now: Date, plan: Plan, usagePrice: number) {
    this.now = now;
    this.usagePrice = usagePrice;
    this.anchorDay = now;
    this.anchor = now;
    this.plan = plan;
    this.periodStart = now;
    this.periodEnd = addMonths(now, 1);
    this.#bill(plan.price);
  }

  /** The usage balance: without credits it is the unbilled usage, as a debt. */
  get available(): number {
    return this.usage === 0 ? 0 : -this.usage;
  }

  /** The seats that are reserved by the model's clock; of a subscription without one, the most there can be. */
  reserved(hasClock: boolean): number {
    return [...this.reservations.values()]
      .filter(({ expiresAt }) => !hasClock || expiresAt > this.now.getTime())
      .reduce((sum, { quantity }) => sum + quantity, 0);
  }

  /** The amount charged for each paid invoice. */
  get charges(): number[] {
    return this.bills.filter(({ owed }) => !owed).map(({ total }) => total);
  }

  get paid(): number {
    return this.charges.reduce((sum, total) => sum + total, 0);
  }

  get refunded(): number {
    return this.bills.reduce((sum, { refunded }) => sum + refunded, 0);
  }

  /** The newest invoice was refused by the bank, or the bank wants the customer to confirm it. */
  owe(owed: 'declined' | 'challenged') {
    this.status = 'past_due';
    this.#newest.owed = owed;
  }

  /** The newest invoice was refused for the last time, and the subscription has ended. */
  giveUp() {
    this.status = 'canceled';
    this.#newest.owed = 'written off';
  }

  /** The newest invoice is paid after all. */
  recover() {
    this.status = 'active';
    this.#newest.owed = undefined;
  }

  get #newest(): Bill {
    return this.bills.at(-1) as Bill;
  }

  #bill(total: number) {
    this.bills.push({ total, refunded: 0 });
  }

  advance(to: Date) {
    while (this.periodEnd <= to && !this.isOver) this.#cross();
    this.now = to;
  }

  pause() {
    this.status = 'paused';
  }

  resume() {
    this.status = 'active';
    if (!this.isOver) return;
    this.isOver = false;
    this.hasPeriod = true;
    this.anchor = this.now;
    this.months = 1;
    this.periodStart = this.now;
    this.periodEnd = addMonths(this.now, 1);
    this.#bill(this.plan.price);
  }

  #cross() {
    const billed = (this.usage / unit) * this.usagePrice;
    this.usage = 0;
    if (this.status === 'paused') {
      if (billed > 0) this.#bill(billed);
      this.isOver = true;
      this.hasPeriod = false;
      return;
    }
    if (this.planned) this.plan = this.planned;
    this.planned = undefined;
    this.#bill(this.plan.price + billed);
    this.months += 1;
    this.periodStart = this.periodEnd;
    this.periodEnd = addMonths(this.anchor, this.months);
  }
}

/** The same day of a later month, or its last day where it is shorter. */
function addMonths(from: Date, months: number): Date {
  const year = from.getUTCFullYear();
  const month = from.getUTCMonth() + months;
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), last);
  const timeOfDay = from.getTime() % 86_400_000;
  return new Date(Date.UTC(year, month, day) + timeOfDay);
}
