import { type EntityName, type FilterQuery, LockMode, type OrderDefinition } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { atPresent } from '#domain/platform/locks/at-instant.ts';
import { lockClockAndCustomer } from '#domain/platform/locks/lock-customer.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** A locked payment with all that it may change. */
export type LockedPayment = Awaited<ReturnType<typeof lockPayment>>;

/** The locked payments of a charge, the one that the processor knows first, each with all that it may change. */
export type LockedCharge = Awaited<ReturnType<typeof lockCharge>>;

interface Owner {
  readonly id: string;
  readonly customerId: string;
  readonly customerClockId: string | null;
  readonly subscriptionId: string | null;
  readonly billingRunId: string | null;
  readonly invoiceId: string;
  readonly chargedWithId: string | null;
  readonly isJoint: boolean;
}

// None of it ever changes.
const columns = `p.id, p.customer_id as "customerId", c.test_clock_id as "customerClockId",
  p.subscription_id as "subscriptionId", p.billing_run_id as "billingRunId", p.invoice_id as "invoiceId",
  p.charged_with_id as "chargedWithId", coalesce(p.charged_with_id, p.charge_amount::text) is not null as "isJoint"`;

/** Locks a payment and all that it may change, in the one lock order. Errors: NOT_FOUND. */
export async function lockPayment(session: Session, id: string) {
  const owner = await ownerOf(session, id);
  const { parts, ...locked } = await lockAll(session, [owner]);
  return { ...locked, ...parts[0] };
}

/** Locks all payments of the charge of a payment, as `lockPayment` locks one. Errors: NOT_FOUND. */
export async function lockCharge(session: Session, id: string) {
  const owner = await ownerOf(session, id);
  if (!owner.isJoint) return lockAll(session, [owner]);
  const all = await statement<Owner>(
    session.em,
    'owners of the payments of a charge',
    `select ${columns} from payment p join customer c on c.id = p.customer_id
     where p.pricing_model_id = $2 and (p.id = $1 or p.charged_with_id = $1)
     order by p.charged_with_id nulls first, p.position, p.id`,
    [owner.chargedWithId ?? id, session.pricingModelId],
  );
  return lockAll(session, all as [Owner, ...Owner[]]);
}

async function ownerOf({ em, pricingModelId }: Session, id: string): Promise<Owner> {
  const [owner] = await statement<Owner>(
    em,
    'owner of a payment',
    `select ${columns} from payment p join customer c on c.id = p.customer_id
     where p.id = $1 and p.pricing_model_id = $2`,
    [id, pricingModelId],
  );
  if (!owner) throw new DomainError('NOT_FOUND', `Payment ${id} not found`);
  return owner;
}

async function lockAll(session: Session, owners: readonly [Owner, ...Owner[]]) {
  const { em } = session;
  const [{ id, customerId, customerClockId }] = owners;
  const known = { id: customerId, testClockId: customerClockId };
  const locked = await lockClockAndCustomer(session, known);
  if (!locked) throw new DomainError('NOT_FOUND', `Payment ${id} not found`);
  const subscriptions = await lockRows(em, Subscription, namesOf(owners, 'subscriptionId'));
  const runs = await lockRows(em, BillingRun, namesOf(owners, 'billingRunId'));
  const invoices = await lockRows(em, Invoice, namesOf(owners, 'invoiceId'));
  const payments = await lockRows(em, Payment, namesOf(owners, 'id'));
  const present = await atPresent(locked.session, [...subscriptions.values()]);
  const parts = owners.map(({ id, subscriptionId, billingRunId, invoiceId }) => ({
    subscription: subscriptions.get(subscriptionId ?? '') ?? null,
    run: runs.get(billingRunId ?? '') ?? null,
    invoice: invoices.get(invoiceId) as Invoice,
    payment: payments.get(id) as Payment,
  }));
  return { ...locked, session: present, parts: parts as [ChargePart, ...ChargePart[]] };
}

/** One payment of a locked charge. */
export interface ChargePart {
  readonly subscription: Subscription | null;
  readonly run: BillingRun | null;
  readonly invoice: Invoice;
  readonly payment: Payment;
}

const namesOf = (
  owners: readonly Owner[],
  name: 'id' | 'subscriptionId' | 'billingRunId' | 'invoiceId',
) => [...new Set(owners.map((owner) => owner[name]))].filter((id) => id !== null);

const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

async function lockRows<T extends { id: string }>(
  em: EntityManager,
  entity: EntityName<T>,
  ids: readonly string[],
): Promise<Map<string, T>> {
  const [only] = ids;
  if (only === undefined) return new Map();
  // One row has a statement that those of a batch share.
  if (ids.length === 1) {
    const row = await em.findOneOrFail(entity, only as FilterQuery<NoInfer<T>>, lock);
    return new Map([[only, row as T]]);
  }
  const where = { id: { $in: ids } } as object as FilterQuery<NoInfer<T>>;
  const orderBy = { id: 'asc' } as object as OrderDefinition<NoInfer<T>>;
  const rows = await em.find(entity, where, { ...lock, orderBy });
  return new Map(rows.map((row) => [(row as T).id, row as T]));
}
