import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { alertKinds, fallingKinds } from './alert-kinds.ts';
import { AlertRule } from './alert-rule.ts';

/** The percentage of the threshold itself. */
const whole = 100;

const AlertSchema = defineEntity({
  name: 'Alert',
  uniques: [
    {
      // A rule has one alert for each customer.
      name: 'alert_rule_unique',
      properties: ['rule', 'customer'],
      where: { rule: { $ne: null } },
    },
  ],
  indexes: [
    pageIndex('alert'),
    { name: 'alert_customer', properties: ['customer', 'createdAt'] },
    { name: 'alert_subscription', properties: ['subscription', 'createdAt'] },
  ],
  checks: checksOf({
    alert_threshold: `threshold > 0 or (kind = 'credits' and threshold = 0)`,
    alert_of_rule: '(rule_id is null) = (rule_revision is null)',
    alert_meter: `kind = 'spend' or usage_meter_id is not null`,
    alert_hard_limit: `not hard_limit or kind in ('usage', 'spend', 'credits')`,
    alert_percentages: `jsonb_typeof(percentages) = 'array' and jsonb_array_length(percentages) <= 10
        and not jsonb_path_exists(percentages, '$[*] ? (@ < 1 || @ > 1000 || @ == 100)')
        and (threshold > 0 or jsonb_array_length(percentages) = 0)`,
  }),
  properties: {
    ...tenantColumns('alert'),
    kind: p.enum(alertKinds),
    /** Units of the meter, minor units of the subscription's currency, or hours. */
    threshold: p.decimal('string').columnType('numeric'),
    /** Further thresholds as percentages of the threshold, in ascending order, each of which triggers by itself. */
    percentages: p.json<number[]>().defaultRaw(`'[]'`),
    customer: () => p.manyToOne(Customer).ref().deleteRule('cascade'),
    /** The only subscription that it watches; null for each one of the customer. */
    subscription: () => p.manyToOne(Subscription).ref().nullable().deleteRule('cascade'),
    /** The meter that it watches; null for the spend on all meters together. */
    usageMeter: () => p.manyToOne(UsageMeter).ref().nullable().deleteRule('restrict').index(),
    /** Whether usage beyond the threshold is refused. */
    hardLimit: p.boolean().default(false),
    active: p.boolean().default(true),
    name: p.string().nullable(),
    /** The rule that has created it and changes it; null for an alert of its own. */
    rule: () => p.manyToOne(AlertRule).ref().nullable().deleteRule('restrict'),
    /** The revision of the rule whose terms it has. */
    ruleRevision: p.integer().nullable().hidden(),
  },
});

/** Thresholds on the usage, the spend or the credits of a customer's subscriptions. */
export class Alert extends AlertSchema.class {
  get customerId(): Opt<string> {
    return this.customer.id;
  }

  get subscriptionId(): Opt<string> | null {
    return this.subscription?.id ?? null;
  }

  get usageMeterId(): Opt<string> | null {
    return this.usageMeter?.id ?? null;
  }

  get ruleId(): Opt<string> | null {
    return this.rule?.id ?? null;
  }

  /** Whether it watches a meter of a subscription. */
  concerns(of: { customerId: string; subscriptionId: string; usageMeterId: string }): boolean {
    return (
      this.customerId === of.customerId &&
      (this.subscriptionId === null || this.subscriptionId === of.subscriptionId) &&
      (this.usageMeterId === null || this.usageMeterId === of.usageMeterId)
    );
  }

  /** The percentages of all its thresholds, in ascending order; 100 is the threshold itself. */
  get levels(): Opt<readonly number[]> {
    return [...this.percentages, whole].sort((a, b) => a - b);
  }

  /** A threshold by its percentage, rounded down to a unit of 10⁻⁹. */
  thresholdAt(percentage: number): Units {
    return (unitsOf(this.threshold) * BigInt(percentage)) / BigInt(whole);
  }

  /** Whether a value has reached a threshold; compared without dividing. */
  isReachedBy(value: Units, percentage: number): boolean {
    const [scaled, threshold] = [
      value * BigInt(whole),
      unitsOf(this.threshold) * BigInt(percentage),
    ];
    return fallingKinds.includes(this.kind) ? scaled <= threshold : scaled >= threshold;
  }
}
AlertSchema.setClass(Alert);
