import type { Session } from '#domain/kernel/session.ts';
import type { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod, type PaymentMethodType } from '#domain/model/platform/payment-method.ts';
import { ProcessorCustomer } from '#domain/model/platform/processor-customer.ts';
import { addMethod, tokenHashOf } from '#domain/money/methods/add-method.ts';
import { customerReferenceAt } from '#domain/money/methods/charge-name.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import type { SourceCustomer } from '../source/source.ts';

/** The processor at which the payment methods are; null for the sandbox. */
type Account = ProcessorAccount | null;

type Paying = Pick<SourceCustomer, 'paymentMethods' | 'processorReference'>;

/** Adds the payment methods of a customer whom the transaction has created, and its record at the processor. */
export async function addMethods(
  session: Session,
  customer: Customer,
  { paymentMethods, processorReference }: Paying,
  account: Account,
): Promise<number> {
  if (account && processorReference)
    addReference(session, customer.id, account, processorReference);
  const name = nameOf(account);
  const added = new Set<string>();
  for (const { token, type, data, isDefault } of paymentMethods) {
    if (added.has(token)) continue;
    const details = {
      token,
      type: type as PaymentMethodType,
      data,
      billingDetails: null,
      isDefault,
    };
    await addMethod(session, customer, name, details);
    added.add(token);
  }
  return added.size;
}

/** Adds the payment methods that a customer lacks, and its record at the processor. Returns how many. */
export async function addLacking(
  session: Session,
  id: string,
  { paymentMethods, processorReference }: Paying,
  account: Account,
): Promise<number> {
  const locked = await lockCustomer(session, { id });
  if (!locked) return 0;
  const { em } = locked.session;
  const isNew =
    account && processorReference
      ? !(await customerReferenceAt(locked.session, id, nameOf(account)))
      : false;
  const lacking: SourceCustomer['paymentMethods'][number][] = [];
  for (const method of paymentMethods) {
    const same = { customer: id, tokenHash: tokenHashOf(method.token), detachedAt: null };
    if (!(await em.findOne(PaymentMethod, same))) lacking.push(method);
  }
  const own = { paymentMethods: lacking, ...(isNew && { processorReference }) };
  return addMethods(locked.session, locked.customer, own, account);
}

/** The hashes of the tokens that customers have, after the id of the customer. */
export async function methodsOf({ em }: Session, ids: readonly string[]) {
  const found = await em
    .fork({ clear: true })
    .find(
      PaymentMethod,
      { customer: { $in: [...ids] }, detachedAt: null },
      { fields: ['customer', 'tokenHash'] },
    );
  return new Set(found.map(({ customer, tokenHash }) => `${customer.id} ${tokenHash}`));
}

const nameOf = (account: Account) =>
  account
    ? { processor: account.kind, processorAccountId: account.id }
    : { processor: 'sandbox' as const, processorAccountId: null };

function addReference(
  { em, organizationId, now }: Session,
  customer: string,
  { id: account, kind: processor }: ProcessorAccount,
  reference: string,
) {
  em.create(ProcessorCustomer, {
    customer: em.getReference(Customer, customer),
    processor,
    account,
    organizationId,
    reference,
    savedAt: now,
  });
}
