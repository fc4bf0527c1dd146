import { Payment } from '#domain/model/money/payment.ts';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { differenceKinds, ProcessorDifference } from '#domain/model/money/processor-difference.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { nullable, of, text } from '../engine/fields.ts';
import { readable } from '../engine/readable.ts';
import { optionalReference, withId } from '../engine/reference.ts';
import { record } from '../engine/types.ts';
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

record(ProcessorDifference, {
  description:
    'A charge about which a processor and the books disagree. The reconciliation finds it, and resolves it when both agree.',
  fields: () => ({
    kind: of(DifferenceKind, 'The kind.'),
    ...withId('processorAccount', ProcessorAccount, 'The account at the processor.'),
    reference: text('The processor’s reference of the charge.'),
    paymentId: nullable.id('The payment; null where there is none.'),
    payment: optionalReference(Payment, 'paymentId', 'The payment.'),
    currency: nullable.text('The currency of both amounts.'),
    processorAmount: nullable.safeInt(
      'The amount at the processor, in minor units; null where it has none.',
    ),
    ownAmount: nullable.safeInt(
      'The amount in the books, in minor units; null where they have none.',
    ),
    message: text('The difference in words.'),
    resolvedAt: nullable.time('The time when both agreed; null while they differ.'),
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
