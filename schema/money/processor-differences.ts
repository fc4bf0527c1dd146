import { Payment } from '#domain/model/money/payment.ts';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { differenceKinds, ProcessorDifference } from '#domain/model/money/processor-difference.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { loadOne } from '../engine/load.ts';
import { ownId } from '../engine/own-id.ts';
import { OrganizationRecord, PricingModelRecord, readable } from '../engine/readable.ts';
import { optionalReference, reference } from '../engine/reference.ts';
import { byPresence } from '../engine/where.ts';

const DifferenceKind = builder.enumType('ProcessorDifferenceKind', {
  description: 'The kind of a difference between a processor and the books.',
  values: described(differenceKinds, {
    amount: 'The amount or the currency of a charge differs from that of the payment.',
    charged_twice: 'A payment has more than one charge that took money.',
    missing_at_processor: 'A payment has succeeded, and the processor has no charge for it.',
    not_recorded: 'A charge took money, and its payment is not recorded as succeeded.',
    refunded_amount: 'The refunded amount of a charge differs from that of the payment.',
    unknown_payment: 'A charge names a payment of the organization that does not exist.',
  }),
});

builder.node(ProcessorDifference, {
  name: 'ProcessorDifference',
  description:
    'A charge about which a processor and the books disagree. The reconciliation finds it, and resolves it when both agree.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: ownId('processor_difference'),
  loadOne: loadOne(ProcessorDifference),
  fields: (t) => ({
    kind: t.expose('kind', { type: DifferenceKind, description: 'The kind.' }),
    processorAccountId: t.exposeID('processorAccountId', {
      description: 'The account at the processor.',
    }),
    processorAccount: t.field(
      reference(ProcessorAccount, 'processorAccountId', 'The account at the processor.'),
    ),
    reference: t.exposeString('reference', {
      description: 'The processor’s reference of the charge.',
    }),
    paymentId: t.exposeID('paymentId', {
      nullable: true,
      description: 'The payment; null where there is none.',
    }),
    payment: t.field(optionalReference(Payment, 'paymentId', 'The payment.')),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'The currency of both amounts.',
    }),
    processorAmount: t.expose('processorAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'The amount at the processor, in minor units; null where it has none.',
    }),
    ownAmount: t.expose('ownAmount', {
      type: 'SafeInt',
      nullable: true,
      description: 'The amount in the books, in minor units; null where they have none.',
    }),
    message: t.exposeString('message', { description: 'The difference in words.' }),
    resolvedAt: t.expose('resolvedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'The time when both agreed; null while they differ.',
    }),
  }),
});

readable({
  one: 'processorDifference',
  many: 'processorDifferences',
  noun: 'processor difference',
  entity: ProcessorDifference,
  where: {
    resolved: byPresence('resolvedAt', 'Resolved (true) or not (false).'),
  },
});
