import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import { ProcessorCustomer } from '#domain/model/platform/processor-customer.ts';
import type { ChargeName } from '#domain/money/processing/port/charge-types.ts';
import type { ProcessorName } from '#domain/money/processing/processor-of.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { memberOf } from '#engines/lockstep/lockstep.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** The reference of a customer at a processor; null before there is a record of it. */
export async function customerReferenceAt(
  { em }: Pick<Session, 'em'>,
  customer: string,
  { processor, processorAccountId }: ProcessorName,
): Promise<string | null> {
  const key = { customer, processor, account: processorAccountId ?? '' };
  return (await em.findOne(ProcessorCustomer, key))?.reference ?? null;
}

/** The names under which the processor finds the charge of a payment. All of them are stored values. */
export async function nameOf(session: Session, payment: Payment): Promise<ChargeName> {
  const { id, invoiceId, organizationId, idempotencyKey, chargeDate } = payment;
  return {
    idempotencyKey,
    reference: payment.processorReference ?? null,
    customerReference: await customerReferenceAt(session, payment.customerId, payment),
    begunAt: chargeDate,
    metadata: { payment_id: id, invoice_id: invoiceId, organization_id: organizationId },
  };
}

/**
 * Stores the processor's reference of a payment or refund in a transaction of its own, so that it is known before
 * money moves. It is no event: that of the outcome tells of it, too.
 */
export async function storeReference(
  session: Session,
  table: 'payment' | 'refund',
  id: string,
  reference: string,
) {
  // One statement outside of a transaction is committed at once; payments of a batch share it.
  const em = memberOf(session.em)?.isLoose ? session.em : afresh(session).em;
  await statement(
    em,
    `reference of a ${table}`,
    `update "${table}" set "processor_reference" = $1, "reference_untold" = true where "id" = $2 and coalesce("processor_reference", '') <> $1`,
    [reference, id],
  );
}
