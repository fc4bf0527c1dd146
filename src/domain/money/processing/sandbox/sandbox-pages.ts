import { LockMode } from '@mikro-orm/core';
import { newId } from '#domain/kernel/ids.ts';
import { serviceUrl } from '#domain/kernel/service-url.ts';
import type { Session } from '#domain/kernel/session.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { SandboxPage } from '#domain/model/money/sandbox-objects.ts';
import type { PaymentMethodType } from '#domain/model/platform/payment-method.ts';
import type { ChargeName } from '#domain/money/processing/port/charge-types.ts';
import type {
  HostedPage,
  MethodDetails,
  PageRequest,
  PaymentPageState,
  SetupState,
} from '#domain/money/processing/port/processor-objects.ts';
import { daysAfter } from './days-after.ts';
import { outcomeOf } from './sandbox-charges.ts';
import { ownRecords } from './sandbox-records.ts';

interface PaymentPart {
  readonly amount: number;
  readonly description: string;
  readonly charge: ChargeName;
}

/** Opens a page of the sandbox; a repeated key answers the same page. */
export function openPage(
  session: Session,
  request: PageRequest & Partial<PaymentPart>,
): Promise<HostedPage> {
  const { idempotencyKey, customerReference, returnUrl, cancelUrl, currency } = request;
  const { organizationId, pricingModelId, now } = session;
  return ownRecords(session).transactional(async (em) => {
    await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 1))', [idempotencyKey]);
    const known = await em.findOne(SandboxPage, { idempotencyKey });
    const page =
      known ??
      em.create(SandboxPage, {
        reference: newId('sandbox_page'),
        idempotencyKey,
        kind: request.charge ? 'payment' : 'setup',
        organizationId,
        pricingModelId,
        customerReference,
        returnUrl,
        cancelUrl,
        currency,
        amount: request.amount ?? null,
        description: request.description ?? null,
        chargeKey: request.charge?.idempotencyKey ?? null,
        paymentId: request.charge?.metadata.payment_id ?? null,
        openedAt: now,
        expiresAt: daysAfter(now, 1),
      });
    const { reference, expiresAt } = page;
    return { reference, url: serviceUrl(`/sandbox/pages/${reference}`), expiresAt };
  });
}

/** A page at the instant of the session. */
async function readPage(session: Session, reference: string) {
  const em = ownRecords(session);
  const page = await em.findOneOrFail(SandboxPage, reference);
  const isLate = page.status === 'open' && page.expiresAt <= session.now;
  return { em, page, status: isLate ? ('expired' as const) : page.status };
}

export async function readSetup(session: Session, reference: string): Promise<SetupState> {
  const { page, status } = await readPage(session, reference);
  return { status, method: status === 'completed' ? detailsOf(page) : null };
}

export async function readPayment(session: Session, reference: string): Promise<PaymentPageState> {
  const { em, page, status } = await readPage(session, reference);
  const charge = await em.findOne(SandboxCharge, page.chargeKey ?? '');
  const outcome = charge && status === 'completed' ? outcomeOf(charge) : null;
  return { status, outcome, method: status === 'completed' ? detailsOf(page) : null };
}

export async function closePage(session: Session, reference: string): Promise<void> {
  await ownRecords(session).transactional(async (em) => {
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const page = await em.findOne(SandboxPage, reference, lock);
    if (page?.status === 'open') page.status = 'expired';
  });
}

const detailsOf = (page: SandboxPage): MethodDetails => ({
  ...methodOf(page.token ?? ''),
  type: (page.type ?? 'card') as PaymentMethodType,
  customerReference: page.customerReference,
});

/** The details of a payment method of the sandbox, by its token. */
export const methodOf = (token: string): MethodDetails => ({
  token,
  type: 'card',
  data: { brand: 'sandbox', last4: '4242' },
  billingDetails: null,
  customerReference: null,
});
