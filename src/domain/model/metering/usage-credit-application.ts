import { defineEntity, p } from '@mikro-orm/core';
import { checksOf, organizationColumn } from '#domain/kernel/columns.ts';
import { UsageCredit } from './usage-credit.ts';

const UsageCreditApplicationSchema = defineEntity({
  name: 'UsageCreditApplication',
  checks: checksOf({
    usage_credit_application_range: 'amount >= 0',
  }),
  properties: {
    credit: () => p.manyToOne(UsageCredit).ref().primary().deleteRule('cascade'),
    organizationId: organizationColumn(),
    /** The empty text where a subscription has no periods. */
    billingPeriodId: p.string().primary(),
    amount: p.decimal('string').columnType('numeric'),
  },
});

/** The usage of a billing period that a credit covers. */
export class UsageCreditApplication extends UsageCreditApplicationSchema.class {}
UsageCreditApplicationSchema.setClass(UsageCreditApplication);
