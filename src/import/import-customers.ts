import type { EntityManager } from '@mikro-orm/postgresql';
import { createCustomer, createCustomerInput } from '#domain/customers/create-customer.ts';
import { Customer } from '#domain/customers/customer.ts';
import { ProcessorCustomer } from '#domain/customers/processor-customer.ts';
import { command } from '#domain/kernel/command.ts';
import { inBatches } from '#domain/kernel/in-batches.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import type { ProcessorAccount } from '#domain/processors/processor-account.ts';
import { addMethod, tokenHashOf } from '#domain/rules/collection/add-method.ts';
import { customerReferenceAt } from '#domain/rules/collection/charge-name.ts';
import { lockCustomer } from '#domain/rules/locks/lock-customer.ts';
import type { Open } from './import-catalog.ts';
import { refusalIn } from './refusal.ts';
import type { Report } from './report.ts';
import type { SourceCustomer } from './source.ts';

/** The parts that all customers share. */
interface Place {
  readonly em: EntityManager;
  readonly open: Open;
  /** The processor at which the payment methods are; null for the sandbox. */
  readonly account: ProcessorAccount | null;
  readonly report: Report;
  readonly applies: boolean;
  /** The test clock of new customers; undefined for the real time. */
  readonly testClockId: string | undefined;
}

/**
 * Imports customers with their payment methods, in batches. One that is here already, by its external id, stays as it
 * is; payment methods that it lacks are added.
 */
export async function importCustomers(place: Place, customers: readonly SourceCustomer[]) {
  const { em, open, report, applies, testClockId } = place;
  const known = await idsOf(open(), customers);
  const valid = customers.filter((customer) => isValid(customer, report));
  const fresh = valid.filter(({ externalId }) => !known.has(externalId));
  report.keep('customer', valid.length - fresh.length);
  if (!applies) {
    report.create('customer', fresh.length);
    report.create('payment method', methodsOf(fresh));
    report.keep('payment method', methodsOf(valid) - methodsOf(fresh));
    return;
  }
  const outcomes = await inBatches(
    em,
    fresh.map((customer) => ({
      key: customer.externalId,
      open,
      work: (session: Session) => createCustomer(session, inputOf(customer, testClockId)),
    })),
  );
  for (const [n, outcome] of outcomes.entries()) {
    const customer = fresh[n];
    if (!customer) continue;
    if (outcome?.status === 'fulfilled') {
      report.create('customer');
      known.set(customer.externalId, outcome.value.customer.id);
    } else report.leaveOut(`customer ${customer.externalId}`, refusalIn(outcome?.reason));
  }
  const paying = valid.filter(({ paymentMethods }) => paymentMethods.length > 0);
  const kept = await inBatches(
    em,
    paying.flatMap((customer) => {
      const id = known.get(customer.externalId);
      const work = (session: Session) =>
        command(session, (session) => keepMethods(session, id ?? '', customer, place));
      return id ? [{ key: id, open, work }] : [];
    }),
    { most: 1 },
  );
  for (const outcome of kept) {
    if (outcome?.status === 'fulfilled') {
      report.create('payment method', outcome.value.added);
      report.keep('payment method', outcome.value.known);
    } else report.leaveOut('payment methods', refusalIn(outcome?.reason));
  }
}

const methodsOf = (customers: readonly SourceCustomer[]) =>
  customers.reduce((sum, { paymentMethods }) => sum + paymentMethods.length, 0);

const inputOf = (
  { paymentMethods: _, processorReference, ...customer }: SourceCustomer,
  testClockId?: string,
) => createCustomerInput.parse({ customer: { ...customer, testClockId } });

function isValid(customer: SourceCustomer, report: Report): boolean {
  try {
    inputOf(customer);
    return true;
  } catch (error) {
    report.leaveOut(`customer ${customer.externalId}`, refusalIn(error));
    return false;
  }
}

const pageSize = 5_000;

/** The ids of the customers that are here, by their external ids. */
async function idsOf({ em }: Session, customers: readonly SourceCustomer[]) {
  const ids = new Map<string, string>();
  for (let from = 0; from < customers.length; from += pageSize) {
    const names = customers.slice(from, from + pageSize).map(({ externalId }) => externalId);
    for (const { externalId, id } of await em
      .fork({ clear: true })
      .find(Customer, { externalId: { $in: names } }, { fields: ['externalId'] })) {
      ids.set(externalId, id);
    }
  }
  return ids;
}

/** Adds the payment methods that a customer lacks, and its record at the processor. */
async function keepMethods(
  session: Session,
  id: string,
  { paymentMethods, processorReference }: SourceCustomer,
  { account }: Place,
) {
  const locked = await lockCustomer(session, { id });
  if (!locked) return { added: 0, known: 0 };
  const { customer } = locked;
  const { em } = locked.session;
  const name = account
    ? { processor: account.kind, processorAccountId: account.id }
    : { processor: 'sandbox' as const, processorAccountId: null };
  if (account && processorReference && !(await customerReferenceAt(locked.session, id, name))) {
    em.create(ProcessorCustomer, {
      customer: em.getReference(Customer, id),
      processor: account.kind,
      account: account.id,
      organizationId: session.organizationId,
      reference: processorReference,
      savedAt: session.now,
    });
  }
  let added = 0;
  for (const { token, type, data, isDefault } of paymentMethods) {
    const same = { customer: id, tokenHash: tokenHashOf(token), detachedAt: null };
    if (await em.findOne(PaymentMethod, same)) continue;
    const details = { token, type: type as never, data, billingDetails: null, isDefault };
    await addMethod(locked.session, customer as Customer, name, details);
    added += 1;
  }
  return { added, known: paymentMethods.length - added };
}
