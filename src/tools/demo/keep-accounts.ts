import { createCreditNote } from '#domain/invoicing/commands/credit-notes/create-credit-note.ts';
import { createCreditNoteInput } from '#domain/invoicing/commands/credit-notes/credit-note-input.ts';
import {
  createInvoice,
  createInvoiceInput,
} from '#domain/invoicing/commands/invoices/create-invoice.ts';
import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import {
  finalizeInvoice,
  voidInvoice,
} from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { refundPayment } from '#domain/money/commands/payments/refund-payment.ts';
import { recordPayment } from '#domain/money/commands/remittances/record-payment.ts';
import { recordPaymentInput } from '#domain/money/commands/remittances/remittance-input.ts';
import { type Person, sessionOf, takeSteps, type World } from './world.ts';

const shares = { paid: 0.7, refund: 0.03, credit: 0.015, workshop: 0.03 } as const;

/** Receives the bank transfers of a month, refunds, credits, and sells workshops. */
export async function keepAccounts(world: World) {
  await receiveTransfers(world);
  const active = world.people.filter(({ subscriptionId }) => subscriptionId);
  const wanting = (share: number) => active.filter(({ chance }) => chance.is(share));
  await takeSteps([
    ...wanting(shares.refund).map((person) => () => refundLast(world, person)),
    ...wanting(shares.credit).map((person) => () => creditLast(world, person)),
    ...wanting(shares.workshop).map((person) => () => sellWorkshop(world, person)),
  ]);
}

/** Most customers that get invoices pay them by bank transfer. */
async function receiveTransfers(world: World) {
  const open = await sessionOf(world).em.find(
    Invoice,
    {
      customer: { testClock: world.clockId },
      collectionMethod: 'send_invoice',
      status: 'open',
    },
    { orderBy: { invoiceDate: 'asc', invoiceNumber: 'asc' } },
  );
  const paid = open.filter(() => world.chance.is(shares.paid));
  await takeSteps(
    paid.map(({ id: invoiceId, total: amount }) => {
      const input = recordPaymentInput.parse({ invoiceId, amount, method: 'bank_transfer' });
      return () => recordPayment(sessionOf(world), input);
    }),
  );
}

/** Refunds half of the newest payment, or all of it. */
async function refundLast(world: World, { customerId, chance }: Person) {
  const session = sessionOf(world);
  const [payment] = await session.em.find(
    Payment,
    { customerId, status: 'succeeded' },
    { orderBy: { chargeDate: 'desc' }, limit: 1 },
  );
  if (!payment) return;
  const partialAmount = chance.is(0.5) ? Math.ceil(payment.amount / 2) : null;
  await refundPayment(session, { id: payment.id, partialAmount });
}

/** Credits a fifth of the newest paid invoice to the balance, as for an outage. */
async function creditLast(world: World, { customerId }: Person) {
  const session = sessionOf(world);
  const [invoice] = await session.em.find(
    Invoice,
    { customer: customerId, status: 'paid', total: { $gt: 100 } },
    { orderBy: { invoiceDate: 'desc' }, limit: 1 },
  );
  if (!invoice) return;
  const amount = Math.ceil(invoice.total / 5);
  const reason = 'product_unsatisfactory';
  const description = 'Outage of the API';
  const creditNote = { invoiceId: invoice.id, amount, settle: 'credit', reason, description };
  await createCreditNote(session, createCreditNoteInput.parse({ creditNote }));
}

/** Bills a workshop by hand; an invoice for a customer that changes its mind is voided. */
async function sellWorkshop(world: World, { customerId, chance, isAbroad, paysByCard }: Person) {
  if (isAbroad || !paysByCard) return;
  const { id } = await createInvoice(
    sessionOf(world),
    createInvoiceInput.parse({
      invoice: { customerId, memo: 'Thank you for learning with us' },
      invoiceLineItems: [{ description: 'Onboarding workshop', quantity: 1, price: 75_000 }],
    }),
  );
  await finalizeInvoice(sessionOf(world), { id });
  if (chance.is(0.3)) await voidInvoice(sessionOf(world), { id });
  else await payInvoice(sessionOf(world), { id });
}
