import { LockMode } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { SandboxPage } from '#domain/model/money/sandbox-objects.ts';
import { type Decision, decide, declined } from './behaviours.ts';
import { openDispute } from './sandbox-disputes.ts';
import { ownRecords } from './sandbox-records.ts';

const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/** The input of a customer on a page of the sandbox. */
export interface SubmittedPage {
  readonly token: string;
  readonly type: string;
}

/** Completes a page, or returns why it stays open. A page that is completed or closed stays as it is. */
export function submitPage(
  session: Session,
  reference: string,
  { token, type }: SubmittedPage,
): Promise<string | undefined> {
  return ownRecords(session).transactional(async (em) => {
    const page = await em.findOneOrFail(SandboxPage, reference, lock);
    if (page.status === 'open' && page.expiresAt <= session.now) page.status = 'expired';
    if (page.status !== 'open') return undefined;
    if (page.kind === 'payment' && page.chargeKey) {
      const decision = confirmed(decide(token, 0, session.now));
      if (decision.status === 'failed')
        return decision.failureMessage ?? 'The payment was declined';
      const charge =
        (await em.findOne(SandboxCharge, page.chargeKey, lock)) ??
        em.create(SandboxCharge, {
          idempotencyKey: page.chargeKey,
          paymentMethodId: page.customerReference,
          amount: page.amount ?? 0,
          currency: page.currency,
          chargedAt: session.now,
          organizationId: session.organizationId,
          paymentId: page.paymentId ?? null,
          status: 'processing',
        });
      if (charge.status === 'canceled' || charge.status === 'succeeded')
        return 'Nothing is to be paid';
      em.assign(charge, { ...decision, token });
      if (decision.status === 'succeeded') openDispute(em, charge, session.now);
    }
    em.assign(page, { token, type, status: 'completed' });
    return undefined;
  });
}

/** On the page the customer is present, so whatever waits for a confirmation has it. */
const confirmed = (decision: Decision): Decision =>
  decision.status === 'requires_action' || decision.failureCode === 'authentication_required'
    ? { status: 'succeeded', failureCode: null, failureMessage: null }
    : decision;

/** Confirms or refuses a charge that waits for its customer. */
export function submitConfirmation(
  session: Session,
  idempotencyKey: string,
  confirms: boolean,
): Promise<void> {
  return ownRecords(session).transactional(async (em) => {
    const charge = await em.findOneOrFail(SandboxCharge, idempotencyKey, lock);
    if (charge.status !== 'requires_action') return;
    if (confirms && charge.token !== 'sandbox_action_failure') charge.status = 'succeeded';
    else em.assign(charge, declined('authentication_failed'));
  });
}
