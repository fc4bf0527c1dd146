import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { checksOf, instant, tenantColumns } from '#domain/kernel/columns.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { alertKinds } from './alert-kinds.ts';

/** When a changed rule is compared with the customers for the last time: no transaction without the change lasts longer. */
const settlingMilliseconds = 600_000;

const AlertRuleSchema = defineEntity({
  name: 'AlertRule',
  indexes: [
    pageIndex('alert_rule'),
    {
      name: 'alert_rule_settling',
      properties: ['settlesAt'],
      where: { settlesAt: { $ne: null } },
    },
  ],
  checks: checksOf({
    alert_rule_threshold: `threshold > 0 or (kind = 'credits' and threshold = 0)`,
    alert_rule_meter: `kind = 'spend' or usage_meter_id is not null`,
    alert_rule_hard_limit: `not hard_limit or kind in ('usage', 'spend', 'credits')`,
    alert_rule_percentages: `jsonb_typeof(percentages) = 'array' and jsonb_array_length(percentages) <= 10
        and not jsonb_path_exists(percentages, '$[*] ? (@ < 1 || @ > 1000 || @ == 100)')
        and (threshold > 0 or jsonb_array_length(percentages) = 0)`,
  }),
  properties: {
    ...tenantColumns('alert_rule'),
    kind: p.enum(alertKinds),
    /** Units of the meter, minor units of the subscription's currency, or hours. */
    threshold: p.decimal('string').columnType('numeric'),
    /** Further thresholds as percentages of the threshold, in ascending order. */
    percentages: p.json<number[]>().defaultRaw(`'[]'`),
    /** The meter that its alerts watch; null for the spend on all meters together. */
    usageMeter: () => p.manyToOne(UsageMeter).ref().nullable().deleteRule('restrict').index(),
    hardLimit: p.boolean().default(false),
    active: p.boolean().default(true),
    name: p.string().nullable(),
    /** Counts the changes of its terms, which its alerts follow. */
    revision: p.integer().default(1).hidden(),
    /** Since when all customers but those that failed have an alert with its terms; null while a job follows. */
    appliedAt: instant().nullable(),
    /** How many customers the last pass could not give its terms; later passes try them again. */
    failedCustomers: p.integer().default(0),
    /** When the job looks for customers without its terms for the last time; null afterwards. */
    settlesAt: instant().nullable().hidden(),
    /** The last customer, in the order of ids, of the running pass through all customers. */
    cursor: p.string().nullable().hidden(),
    /** When the running pass began, by the database's clock. */
    passBeganAt: instant().nullable().hidden(),
    /** How many customers have failed in the running pass. */
    passFailures: p.integer().default(0).hidden(),
    /** How many passes with failures there were, one after the other, and when the next pass may begin. */
    failedPasses: p.integer().default(0).hidden(),
    retryAt: instant().nullable().hidden(),
    /** The run of the job that works on it, and until when no other one may. */
    leaseHolder: p.string().nullable().hidden(),
    leaseUntil: instant().nullable().hidden(),
  },
});

/** Thresholds for each subscription of a pricing model, also for later ones. */
export class AlertRule extends AlertRuleSchema.class {
  get usageMeterId(): Opt<string> | null {
    return this.usageMeter?.id ?? null;
  }

  /** Makes the job apply its terms to the alerts of all customers. */
  change(now: Date) {
    this.revision += 1;
    this.settle(now);
  }

  settle(now: Date) {
    this.appliedAt = null;
    this.failedCustomers = 0;
    this.settlesAt = new Date(now.getTime() + settlingMilliseconds);
    this.cursor = null;
    this.passBeganAt = null;
    this.passFailures = 0;
    this.failedPasses = 0;
    this.retryAt = null;
  }
}
AlertRuleSchema.setClass(AlertRule);
