import { defineEntity, type Opt, p } from '@mikro-orm/core';
import { instant, safeInteger, tenantColumns } from '#domain/kernel/columns.ts';
import type { EmitsEvents } from '#domain/kernel/emits-events.ts';
import { pageIndex } from '#domain/kernel/lists/list-indexes.ts';
import { ProcessorAccount } from './processor-account.ts';

export const differenceKinds = [
  'amount',
  'charged_twice',
  'missing_at_processor',
  'not_recorded',
  'refunded_amount',
  'unknown_payment',
] as const;

export type DifferenceKind = (typeof differenceKinds)[number];

const ProcessorDifferenceSchema = defineEntity({
  name: 'ProcessorDifference',
  uniques: [
    {
      name: 'processor_difference_open_unique',
      properties: ['account', 'kind', 'reference'],
      where: { resolvedAt: null },
    },
  ],
  indexes: [pageIndex('processor_difference')],
  properties: {
    ...tenantColumns('processor_difference'),
    account: () =>
      p.manyToOne(ProcessorAccount).ref().name('processor_account_id').deleteRule('cascade'),
    kind: p.enum(differenceKinds),
    /** The processor's reference of the charge, or our reference of the payment that it lacks. */
    reference: p.string(),
    paymentId: p.string().nullable(),
    currency: p.string().length(3).nullable(),
    /** Minor units; null where one side has nothing. */
    processorAmount: safeInteger().nullable(),
    ownAmount: safeInteger().nullable(),
    message: p.text(),
    resolvedAt: instant().nullable(),
  },
});

/** A charge about which the processor and the books disagree. */
export class ProcessorDifference
  extends ProcessorDifferenceSchema.class
  implements Partial<EmitsEvents>
{
  get processorAccountId(): Opt<string> {
    return this.account.id;
  }

  verbFor(changed: ReadonlySet<string>) {
    return changed.has('resolvedAt') && this.resolvedAt ? 'resolved' : undefined;
  }

  /** The event of a new difference is `processor.difference`. */
  createdType() {
    return 'processor.difference' as const;
  }
}
ProcessorDifferenceSchema.setClass(ProcessorDifference);
