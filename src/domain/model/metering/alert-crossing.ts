import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { instant, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { Alert } from './alert.ts';
import { alertKinds } from './alert-kinds.ts';

const amount = () => p.decimal('string').columnType('numeric');

const AlertCrossingSchema = defineEntity({
  name: 'AlertCrossing',
  uniques: [
    {
      // A threshold triggers again only after its value has returned.
      name: 'alert_crossing_open_unique',
      properties: ['alert', 'subscriptionId', 'billingPeriodId', 'percentage'],
      where: { endedAt: null },
    },
  ],
  indexes: [
    pageIndex('alert_crossing'),
    { name: 'alert_crossing_alert', properties: ['alert', 'createdAt'] },
    { name: 'alert_crossing_subscription', properties: ['subscriptionId', 'createdAt'] },
    { name: 'alert_crossing_customer', properties: ['customerId', 'createdAt'] },
  ],
  properties: {
    ...tenantColumns('alert_crossing'),
    alert: () => p.manyToOne(Alert).ref().deleteRule('cascade'),
    customerId: p.string(),
    subscriptionId: p.string(),
    usageMeterId: p.string().nullable(),
    /** The period of the value; the empty text where it has none, such as that of credits. */
    billingPeriodId: p.string(),
    kind: p.enum(alertKinds),
    threshold: amount(),
    /** The threshold as a percentage of that of the alert; 100 for that itself. */
    percentage: p.integer().default(100),
    /** The value that reached the threshold. */
    value: amount(),
    /** When the value returned; null while it has not. */
    endedAt: instant().nullable(),
  },
});

/** One time that a value reached a threshold of an alert, from then until it returned. */
export class AlertCrossing extends AlertCrossingSchema.class implements EmitsEvents {
  get alertId(): Opt<string> {
    return this.alert.id;
  }

  createdType() {
    return 'alert.triggered';
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('endedAt') ? 'ended' : undefined;
  }
}
AlertCrossingSchema.setClass(AlertCrossing);
