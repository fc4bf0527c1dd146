import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { ProcessorCustomer } from '#domain/model/platform/processor-customer.ts';
import type { PaymentProcessor } from '#domain/money/processing/port/payment-processor.ts';
import type { ProcessorName } from '#domain/money/processing/processor-of.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { customerReferenceAt } from './charge-name.ts';
import { detachLocked } from './detach-locked.ts';

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
  await command(afresh(session), async ({ em, now, organizationId }) => {
    await em.upsert(ProcessorCustomer, { ...key, organizationId, reference, savedAt: now });
  });
  return reference;
}

/**
 * Forgets the record of a customer that was deleted at the processor: the next use creates a new one. Its payment
 * methods cannot be charged any more, so they are detached. Returns the number of customers.
 */
export async function forgetCustomerAt(
  session: Session,
  { reference, processor, processorAccountId }: ProcessorName & { readonly reference: string },
): Promise<number> {
  const account = processorAccountId ?? '';
  const { em } = afresh(session);
  const records = await em.find(ProcessorCustomer, { reference, processor, account });
  const ids = records.map(({ customer }) => customer.id);
  // Of this tenant only.
  const customers = await em.find(Customer, { id: { $in: ids } });
  for (const { id } of customers) {
    await command(afresh(session), async (session) => {
      const locked = await lockCustomer(session, { id });
      const at = { customer: id, processor, processorAccountId: processorAccountId ?? null };
      const present = locked?.session ?? session;
      for (const method of await session.em.find(PaymentMethod, { ...at, detachedAt: null })) {
        await detachLocked(present, method);
      }
      await session.em.nativeDelete(ProcessorCustomer, { customer: id, processor, account });
    });
  }
  return customers.length;
}
