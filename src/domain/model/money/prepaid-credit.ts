import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { amountIndex, pageIndex, sortIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';

export const prepaidCreditSources = ['purchase', 'gift', 'top_up'] as const;
export const prepaidCreditStatuses = ['pending', 'active', 'ended', 'void'] as const;

/** The largest prepaid credit, and the largest balance of a customer, in minor units. */
export const largestCredit = 10 ** 13;

/** The most days for which credit is valid. */
export const mostValidDays = 36_500;

const dayMilliseconds = 86_400_000;

const PrepaidCreditSchema = defineEntity({
  name: 'PrepaidCredit',
  uniques: [{ name: 'prepaid_credit_invoice_unique', properties: ['invoice'] }],
  indexes: [
    pageIndex('prepaid_credit'),
    { name: 'prepaid_credit_customer', properties: ['customer', 'createdAt', 'position', 'id'] },
    {
      name: 'prepaid_credit_left',
      properties: ['customer'],
      where: { remaining: { $gt: 0 } },
    },
    {
      name: 'prepaid_credit_expiring',
      properties: ['expiresAt', 'id'],
      where: { remaining: { $gt: 0 }, expiresAt: { $ne: null } },
    },
    amountIndex('prepaid_credit', 'prepaid_credit_remaining', 'remaining'),
    sortIndex(
      'prepaid_credit',
      'prepaid_credit_expiry',
      `coalesce(expires_at, 'infinity'::timestamptz)`,
    ),
  ],
  checks: checksOf({
    prepaid_credit_parts: `amount > 0 and least(remaining, used, expired, revoked) >= 0
        and remaining + used + expired + revoked = case when granted_at is null then 0 else amount end`,
    prepaid_credit_lacking: 'lacking >= 0 and lacking <= used + expired',
    prepaid_credit_source: `(source = 'gift') = (invoice_id is null) and (source <> 'gift' or granted_at is not null)`,
    prepaid_credit_buyer: `not bought_by_customer or source = 'purchase'`,
    prepaid_credit_void: 'voided_at is null or remaining = 0',
    prepaid_credit_time: `valid_days > 0 and rollovers >= 0 and rollover_limit > 0 and rolled_over >= 0
        and (valid_days is not null or rollovers is null) and (rollovers is not null or rollover_limit is null)`,
  }),
  properties: {
    ...tenantColumns('prepaid_credit'),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    source: p.enum(prepaidCreditSources),
    /** Whether the customer has bought it itself: such a purchase ends with its first payment, paid or void. */
    boughtByCustomer: p.boolean().default(false),
    /** ISO 4217, upper case: the currency of the customer. */
    currency: p.string().length(3),
    /** Minor units, like the amounts below; from the grant on they add up to it. */
    amount: safeInteger(),
    remaining: safeInteger().default(0),
    /** The amount that has paid invoices, and was not returned. */
    used: safeInteger().default(0),
    expired: safeInteger().default(0),
    /** The amount that was revoked, or returned to the customer as money. */
    revoked: safeInteger().default(0),
    /** The used or expired amount for which the customer has its money back; a part of it that returns is revoked. */
    lacking: safeInteger().default(0).hidden(),
    /** Lower ones are used first. */
    priority: p.integer().default(50),
    /** The instant from which it cannot be used; null for never, and before it is granted. */
    expiresAt: instant().nullable(),
    /** The days from the grant, or the last rollover, to the expiry; null where a date was set, or there is none. */
    validDays: p.integer().nullable(),
    /** The expiries that it may still survive; null where it does not roll over. */
    rollovers: p.integer().nullable(),
    /** The most that survives an expiry; null for all. */
    rolloverLimit: safeInteger().nullable(),
    /** The expiries that it has survived. */
    rolledOver: p.integer().default(0),
    /** The expiry that was announced last. */
    expiryAnnounced: instant().nullable().hidden(),
    /** The invoice that buys it; null for a gift. */
    invoice: () => p.manyToOne(Invoice).ref().nullable().deleteRule('cascade'),
    /** When its invoice was paid, or it was given. */
    grantedAt: instant().nullable(),
    /** When its invoice became void or uncollectible without being paid. */
    voidedAt: instant().nullable(),
    reason: p.text().nullable(),
  },
});

/** Money of a customer that was paid or given in advance, and pays its invoices. */
export class PrepaidCredit extends PrepaidCreditSchema.class implements EmitsEvents {
  /** The expiry that the event of this transaction announces; not a column. */
  declare private announced?: Date;

  get customerId(): Opt<string> {
    return this.customer.id;
  }

  get invoiceId(): Opt<string> | null {
    return this.invoice?.id ?? null;
  }

  get status(): Opt<(typeof prepaidCreditStatuses)[number]> {
    if (this.voidedAt) return 'void';
    if (!this.grantedAt) return 'pending';
    return this.remaining > 0 ? 'active' : 'ended';
  }

  /** Makes it usable, for the first time. */
  grant(now: Date) {
    this.grantedAt = now;
    this.remaining = this.amount;
    if (this.validDays) this.expiresAt = daysAfter(now, this.validDays);
  }

  /** Applies the expiries that are due by an instant: a part may roll over at each. Returns the expired amount. */
  expireBy(now: Date): number {
    const before = this.remaining;
    while (this.remaining > 0 && this.expiresAt && this.expiresAt <= now) {
      const { rollovers, rolloverLimit, validDays } = this;
      const survives =
        rollovers && validDays ? Math.min(this.remaining, rolloverLimit ?? this.remaining) : 0;
      this.expired += this.remaining - survives;
      this.remaining = survives;
      if (!rollovers || !validDays) break;
      this.rollovers = rollovers - 1;
      this.rolledOver += 1;
      this.expiresAt = daysAfter(this.expiresAt, validDays);
    }
    return before - this.remaining;
  }

  /** Revokes an amount. The part that is used or expired is lacking. Returns the part that remained. */
  revoke(amount: number): number {
    const taken = Math.min(amount, this.remaining);
    this.remaining -= taken;
    this.revoked += taken;
    this.lacking += amount - taken;
    return taken;
  }

  /**
   * Undoes the revocation of an amount. Where nothing remained, its days begin again, since it could not be used
   * meanwhile. Returns the part that remains again.
   */
  reinstate(amount: number, now: Date): number {
    const covered = Math.min(amount, this.lacking);
    if (this.remaining === 0 && covered < amount && this.validDays)
      this.expiresAt = daysAfter(now, this.validDays);
    this.lacking -= covered;
    this.revoked -= amount - covered;
    this.remaining += amount - covered;
    return amount - covered;
  }

  /** Uses an amount that remains. */
  use(amount: number) {
    this.remaining -= amount;
    this.used += amount;
  }

  /** Returns a used amount to it, and revokes what was lacking. Returns the part that remains again. */
  putBack(amount: number): number {
    const lost = Math.min(amount, this.lacking);
    this.used -= amount;
    this.lacking -= lost;
    this.revoked += lost;
    this.remaining += amount - lost;
    return amount - lost;
  }

  /** Has the event of this transaction announce the expiry, and remembers it. */
  announceExpiry(expiry: Date) {
    this.expiryAnnounced = expiry;
    this.announced = expiry;
  }

  verbFor(changed: ReadonlySet<string>) {
    if (changed.has('grantedAt')) return 'granted';
    if (changed.has('voidedAt')) return 'voided';
    if (changed.has('expired')) return 'expired';
    if (changed.has('rolledOver')) return 'rolled_over';
    if (changed.has('revoked')) return 'revoked';
    return this.announced && 'expiring';
  }

  further() {
    return this.announced ? { announcedFor: this.announced.getTime() } : {};
  }
}
PrepaidCreditSchema.setClass(PrepaidCredit);

/** The amount that is lost at the next expiry of a credit: a rollover keeps the rest. */
export const lossOf = ({
  remaining,
  rollovers,
  rolloverLimit,
}: Pick<PrepaidCredit, 'remaining' | 'rollovers' | 'rolloverLimit'>): number =>
  rollovers ? Math.max(0, remaining - (rolloverLimit ?? remaining)) : remaining;

const daysAfter = (at: Date, days: number) => new Date(at.getTime() + days * dayMilliseconds);
