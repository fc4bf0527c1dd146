import { Customer } from '#domain/customers/customer.ts';
import { ProcessorCustomer } from '#domain/customers/processor-customer.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import type { PaymentProcessor } from '#domain/rules/processing/payment-processor.ts';
import type { ProcessorName } from '#domain/rules/processing/processor-of.ts';
import { customerReferenceAt } from './charge-name.ts';

/**
 * The reference of a customer's record at the processor, which is created when it is first needed. The key is the same
 * for every process, so that there is one record.
 */
export async function saveCustomerAt(
  session: Session,
  processor: PaymentProcessor,
  customerId: string,
  name: ProcessorName,
): Promise<string> {
  const known = await customerReferenceAt(session, customerId, name);
  if (known) return known;
  const customer = await session.em.findOneOrFail(Customer, customerId);
  const reference = await processor.saveCustomer(session, {
    idempotencyKey: `customer:${customerId}`,
    customerId,
    name: customer.name,
    email: customer.email,
    reference: null,
  });
  const key = {
    customer: customerId,
    processor: name.processor,
    account: name.processorAccountId ?? '',
  };
  await command(afresh(session), async ({ em, now }) => {
    await em.upsert(ProcessorCustomer, { ...key, reference, savedAt: now });
  });
  return reference;
}

/** Forgets the record of a customer that was deleted at the processor; the next use creates a new one. */
export async function forgetCustomerAt({ em }: Session, reference: string): Promise<number> {
  return em.nativeDelete(ProcessorCustomer, { reference });
}
