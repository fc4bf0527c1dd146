import { LockMode } from '@mikro-orm/core';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch } from '#domain/kernel/values/patch.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import type { RecordPaymentInput } from './remittance-input.ts';
import type { Target } from './remittance-target.ts';

/** The receipt of locked invoices: a new one, or one that was expected. Errors: NOT_FOUND; BAD_REQUEST. */
export async function receiptOf(
  { session, customer, invoices }: Target,
  input: RecordPaymentInput,
): Promise<Remittance> {
  const { em, now, actor } = session;
  const { method, amount, reference, note, attachmentURL } = input;
  const receivedAt = input.receivedAt ?? now;
  if (receivedAt > now) throw invalid('OUT_OF_RANGE', 'receivedAt', 'must not be in the future');
  const expected = input.remittanceId ? await lockExpected(session, input.remittanceId) : null;
  await refuseTaken(session, reference, expected?.id);
  const received = { receivedAt, recordedBy: { type: actor.type, id: actor.id } };
  if (expected) {
    if (input.currency != null && input.currency !== expected.currency) {
      throw invalid('MISMATCH', 'currency', `must be ${expected.currency}, as expected`);
    }
    return patch(expected, {
      ...received,
      status: 'received' as const,
      ...(amount != null && { amount }),
      ...(method != null && { method }),
      ...(reference != null && { reference }),
      ...(note != null && { note }),
      ...(attachmentURL != null && { attachmentURL }),
    });
  }
  const currency = input.currency ?? (await currencyOf({ invoices }));
  return em.create(Remittance, {
    ...received,
    customer,
    status: 'received',
    method: method ?? 'other',
    amount: amount ?? 0,
    currency,
    reference: reference ?? null,
    note: note ?? null,
    attachmentURL: attachmentURL ?? null,
  });
}

/** The one currency of invoices. Errors: BAD_REQUEST without an invoice, and for several currencies. */
function currencyOf({ invoices }: Pick<Target, 'invoices'>): string {
  const [currency, another] = new Set(invoices.map((invoice) => invoice.currency));
  if (!currency) throw invalid('INVALID_STATE', 'customerId', 'has no invoice that is to be paid');
  if (another) {
    throw invalid(
      'REQUIRED',
      'currency',
      `is required: invoices are in ${currency} and ${another}`,
    );
  }
  return currency;
}

async function lockExpected({ em }: Session, id: string): Promise<Remittance> {
  const remittance = await em.findOneOrFail(Remittance, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  if (remittance.status === 'expected') return remittance;
  throw invalid('INVALID_STATE', 'remittanceId', `${id} is ${remittance.status}, not expected`);
}

/** Refuses a reference that another payment of the organization has. Concurrent calls meet the constraint instead. */
export async function refuseTaken(
  { em, organizationId, livemode }: Session,
  reference: string | null | undefined,
  ownId?: string,
) {
  if (reference == null) return;
  const status = { $in: ['expected', 'received'] as const };
  const taken = await em.findOne(
    Remittance,
    { organizationId, livemode, reference, status, id: { $ne: ownId ?? '' } },
    { filters: { tenant: false } },
  );
  if (!taken) return;
  const { id } = taken;
  const hint = taken.status === 'expected' ? `: pass ${id} as remittanceId to receive it` : '';
  throw invalid('TAKEN', 'reference', `is the reference of ${id}, which is ${taken.status}${hint}`);
}
