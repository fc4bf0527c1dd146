import type { EntityManager } from '@mikro-orm/postgresql';
import type { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import type { DifferenceKind } from '#domain/model/money/processor-difference.ts';
import type { ProcessorCharge } from '#domain/money/processing/port/processor-objects.ts';

/** A difference as it is found, before it is recorded. */
export interface FoundDifference {
  readonly kind: DifferenceKind;
  readonly reference: string;
  readonly paymentId: string | null;
  readonly pricingModelId: string | null;
  readonly currency: string | null;
  readonly processorAmount: number | null;
  readonly ownAmount: number | null;
  readonly message: string;
}

/** A payment of the books that has a charge of its own, of any pricing model. */
interface Booked {
  readonly id: string;
  readonly organizationId: string;
  readonly pricingModelId: string;
  /** The amount of the charge. */
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  /** All refunds of the charge that count, also those that are not decided. */
  readonly refunded: number;
  readonly chargeReference: string | null;
}

const received = new Set(['succeeded', 'refunded']);

const columns = `p.id, p.organization_id as "organizationId", p.pricing_model_id as "pricingModelId",
  coalesce(p.charge_amount, p.amount)::float8 as amount, p.currency, p.status, p.charge_reference as "chargeReference",
  (select coalesce(sum(r.amount), 0)::float8 from refund r
   where r.status in ('pending', 'requires_action', 'succeeded') and r.payment_id in (
     select p.id union all select part.id from payment part where part.charged_with_id = p.id)) as refunded`;

/** The differences of the charges that took money. Those of other systems have no payment in their metadata. */
export async function differencesOf(
  em: EntityManager,
  account: ProcessorAccount,
  charges: readonly ProcessorCharge[],
): Promise<FoundDifference[]> {
  const taken = charges.filter(({ status, paymentId }) => status === 'succeeded' && paymentId);
  const ids = [...new Set(taken.map(({ paymentId }) => paymentId))];
  const rows = await em.execute<Booked[]>(
    `select ${columns} from payment p where p.id in (select jsonb_array_elements_text(?::jsonb)) and p.livemode = ?`,
    [JSON.stringify(ids), account.livemode],
  );
  const payments = new Map(rows.map((row) => [row.id, row]));
  const byPayment = Map.groupBy(taken, ({ paymentId }) => paymentId ?? '');
  return [...byPayment].flatMap(([id, charges]) => {
    const payment = payments.get(id);
    // Two organizations may share an account of the processor.
    if (payment && payment.organizationId !== account.organizationId) return [];
    return payment ? ofPayment(payment, charges) : charges.filter(isKept).map(unknownPayment);
  });
}

/** A charge that was refunded in full has cost the customer nothing. */
const isKept = ({ amount, refundedAmount }: ProcessorCharge) => refundedAmount < amount;

const unknownPayment = (charge: ProcessorCharge): FoundDifference => ({
  ...ofCharge(charge, null),
  kind: 'unknown_payment',
  message: `The charge ${charge.reference} names the payment ${charge.paymentId}, which does not exist`,
});

function ofPayment(payment: Booked, charges: readonly ProcessorCharge[]): FoundDifference[] {
  const own = charges.find(({ chargeReference }) => chargeReference === payment.chargeReference);
  const [charge = own, ...others] = own
    ? [own, ...charges.filter((other) => other !== own)]
    : charges;
  if (!charge) return [];
  const found = others.filter(isKept).map(
    (other): FoundDifference => ({
      ...ofCharge(other, payment),
      kind: 'charged_twice',
      message: `The payment ${payment.id} has a second charge ${other.reference}: refund it at the processor`,
    }),
  );
  const one = difference(payment, charge);
  return one ? [...found, one] : found;
}

function difference(payment: Booked, charge: ProcessorCharge): FoundDifference | undefined {
  const of = ofCharge(charge, payment);
  if (!received.has(payment.status)) {
    if (!isKept(charge)) return undefined;
    const message = `The charge ${charge.reference} took money, and the payment ${payment.id} is ${payment.status}`;
    return { ...of, kind: 'not_recorded', ownAmount: 0, message };
  }
  if (charge.amount !== payment.amount || charge.currency !== payment.currency) {
    const message = `The charge ${charge.reference} is of ${charge.amount} ${charge.currency}, the payment ${payment.id} of ${payment.amount} ${payment.currency}`;
    return { ...of, kind: 'amount', message };
  }
  if (charge.refundedAmount === payment.refunded) return undefined;
  return {
    ...of,
    kind: 'refunded_amount',
    processorAmount: charge.refundedAmount,
    ownAmount: payment.refunded,
    message: `${charge.refundedAmount} of the charge ${charge.reference} are refunded, and ${payment.refunded} of the payment ${payment.id}`,
  };
}

const ofCharge = (charge: ProcessorCharge, payment: Booked | null) => ({
  reference: charge.chargeReference ?? charge.reference,
  paymentId: charge.paymentId,
  pricingModelId: payment?.pricingModelId ?? null,
  currency: charge.currency,
  processorAmount: charge.amount,
  ownAmount: payment?.amount ?? null,
});

/** The payments that have succeeded within a period, and of which the processor lists no charge. */
export async function missingCharges(
  em: EntityManager,
  { id }: ProcessorAccount,
  charges: readonly ProcessorCharge[],
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<FoundDifference[]> {
  const taken = charges.filter(({ status }) => status === 'succeeded');
  const known = new Set(taken.map(({ chargeReference }) => chargeReference));
  // Clocks differ: a charge at the start or the end of the period may be missing in the list.
  const rows = await em.execute<Booked[]>(
    `select ${columns} from payment p where p.processor_account_id = ? and p.status in ('succeeded', 'refunded')
       and p.charged_with_id is null
       and p.charge_date >= ?::timestamptz + interval '1 hour'
       and p.settlement_date < ?::timestamptz - interval '1 hour'`,
    [id, from, to],
  );
  return rows
    .filter(({ chargeReference }) => !known.has(chargeReference))
    .map((payment) => ({
      kind: 'missing_at_processor',
      reference: payment.chargeReference ?? payment.id,
      paymentId: payment.id,
      pricingModelId: payment.pricingModelId,
      currency: payment.currency,
      processorAmount: null,
      ownAmount: payment.amount,
      message: `The payment ${payment.id} has succeeded, and the processor lists no charge for it`,
    }));
}
