import { createInvoice } from '#domain/invoicing/commands/invoices/create-invoice.ts';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { createPrepaidCredit } from '#domain/money/commands/prepaid-credits/create-prepaid-credit.ts';
import { createPrepaidTopUp } from '#domain/money/commands/prepaid-top-ups/create-prepaid-top-up.ts';
import { aCustomer, aPaymentMethod, aTestClock } from './factories.ts';
import { at, fresh } from './timeline.ts';

interface Wanted {
  readonly source?: 'purchase' | 'gift';
  readonly amount: number;
  readonly priority?: number;
  readonly validDays?: number;
  readonly expiresAt?: Date;
  readonly rollovers?: number;
  readonly rolloverLimit?: number;
}

/** A customer on a clock at January 1, with a payment method. */
export async function aPayer(session: Session, token = 'sandbox_success') {
  const clock = await aTestClock(session, at('2026-01-01'));
  const customer = await aCustomer(session, { testClockId: clock.id });
  const method = await aPaymentMethod(session, customer.id, { token, default: true });
  return { customerId: customer.id, clockId: clock.id, methodId: method.id };
}

/** Prepaid credit of a customer; a gift, unless it is bought. */
export const aPrepaidCredit = (
  session: Session,
  customerId: string,
  { source = 'gift', ...wanted }: Wanted,
): Promise<PrepaidCredit> =>
  createPrepaidCredit(fresh(session), { prepaidCredit: { customerId, source, ...wanted } });

/** A top-up of 500 when 100 or less remain; it buys for 2000 a month at most. */
export const aPrepaidTopUp = (
  session: Session,
  customerId: string,
  more: {
    readonly threshold?: number;
    readonly amount?: number;
    readonly mostPerMonth?: number;
  } = {},
): Promise<PrepaidTopUp> => {
  const usual = { threshold: 100, amount: 500, mostPerMonth: 2_000 };
  return createPrepaidTopUp(fresh(session), { prepaidTopUp: { customerId, ...usual, ...more } });
};

export const prepaidTopUpOf = (session: Session, { id }: Pick<PrepaidTopUp, 'id'>) =>
  fresh(session).em.findOneOrFail(PrepaidTopUp, id);

/** A finalized invoice of a customer. */
export async function anInvoiceOf(session: Session, customerId: string, price: number) {
  const { id } = await createInvoice(fresh(session), {
    invoice: { customerId },
    invoiceLineItems: [{ description: 'Work', quantity: 1, price }],
  });
  await finalizeInvoice(fresh(session), { id });
  return fresh(session).em.findOneOrFail(Invoice, id);
}

export const invoiceOf = (session: Session, id: string) =>
  fresh(session).em.findOneOrFail(Invoice, id);

/** The prepaid credits of a customer, the oldest first: `gift 100: 70 left, 30 used`. */
export async function creditsOf(session: Session, customer: string): Promise<string[]> {
  const { em } = fresh(session);
  const found = await em.find(PrepaidCredit, { customer }, { orderBy: { position: 'asc' } });
  return found.map((credit) => {
    const { source, status, amount, remaining, used, expired, revoked } = credit;
    const parts = Object.entries({ left: remaining, used, expired, revoked })
      .filter(([, part]) => part > 0)
      .map(([name, part]) => `${part} ${name}`);
    return `${source} ${amount}: ${parts.join(', ') || status}`;
  });
}
