import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inBatches } from '#domain/kernel/in-batches.ts';
import { serviceUrl } from '#domain/kernel/service-url.ts';
import type { Session } from '#domain/kernel/session.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import type {
  ChargeName,
  ChargeOutcome,
  ChargeRequest,
} from '#domain/money/processing/port/charge-types.ts';
import {
  ProcessorMisconfigured,
  ProcessorUnreachable,
} from '#domain/money/processing/port/processor-errors.ts';
import { confirmationName } from '#domain/platform/access/confirmation-link.ts';
import { Batching } from '#engines/batching/batching.ts';
import { inTransaction } from '#engines/lockstep/lockstep.ts';
import { decide, failureOf, hasActionPage, isBankDebit } from './behaviours.ts';
import { openDispute } from './sandbox-disputes.ts';
import {
  announce,
  chargeReferenceOf,
  intentReferenceOf,
  lockCharge,
  ownRecords,
} from './sandbox-records.ts';

const hangMilliseconds = 5_000;

/** Executes a charge once, as its token decides. */
export async function charge(session: Session, request: ChargeRequest): Promise<ChargeOutcome> {
  const { token, idempotencyKey } = request;
  if (token === 'sandbox_error_before_charge') throw new ProcessorUnreachable();
  if (token === 'sandbox_misconfigured') {
    throw new ProcessorMisconfigured('The payment processor refuses the key of the service');
  }
  await request.onReference(intentReferenceOf(idempotencyKey));
  const outcome = await write(session, request);
  if (token === 'sandbox_hang') await pause(hangMilliseconds);
  if (token === 'sandbox_error_after_charge' || token === 'sandbox_hang') {
    throw new ProcessorUnreachable();
  }
  return outcome;
}

interface Written {
  readonly session: Session;
  readonly request: ChargeRequest;
}

const writing = new WeakMap<object, Batching<Written, PromiseSettledResult<ChargeOutcome>>>();

/** Writes a charge; those that arrive at the same time share a transaction. A dry run writes within its own. */
async function write(session: Session, request: ChargeRequest): Promise<ChargeOutcome> {
  if (session.dryRun) return writeCharge(ownRecords(session), request, session);
  const connection = session.em.getConnection();
  const charges = writing.get(connection) ?? new Batching(writeAll, { workers: 2, most, keyOf });
  writing.set(connection, charges);
  const written = await charges.add({ session, request });
  if (written.status === 'rejected') throw written.reason;
  return written.value;
}

const most = 50;
const keyOf = ({ request }: Written) => request.paymentMethodId;

async function writeAll(charges: readonly Written[]) {
  const [{ session }] = charges as [Written];
  const outcomes = await inBatches(
    ownRecords(session),
    charges.map(({ session, request }) => ({
      key: request.paymentMethodId,
      open: () => ({ ...session, em: ownRecords(session) }),
      work: (session: Session) => writeCharge(session.em, request, session),
    })),
  );
  return outcomes as PromiseSettledResult<ChargeOutcome>[];
}

function writeCharge(
  em: EntityManager,
  { idempotencyKey, amount, currency, token, paymentMethodId, metadata }: ChargeRequest,
  { now, organizationId }: Session,
): Promise<ChargeOutcome> {
  return inTransaction(em, async (em) => {
    // Charges of one payment method run one after the other, so that all agree on the first one.
    await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [paymentMethodId]);
    const known = await em.findOne(SandboxCharge, idempotencyKey);
    if (known) return outcomeOf(known);
    const earlier = await em.count(SandboxCharge, { paymentMethodId });
    const created = em.create(SandboxCharge, {
      idempotencyKey,
      paymentMethodId,
      amount,
      currency,
      token,
      chargedAt: now,
      organizationId,
      paymentId: metadata.payment_id ?? null,
      ...decide(token, earlier, now),
    });
    announceLater(em, created);
    if (created.status === 'succeeded') openDispute(em, created, now);
    return outcomeOf(created);
  });
}

/** A charge that takes days gives a notice at its end. */
function announceLater(em: EntityManager, charge: SandboxCharge) {
  const { settlesAt, token, organizationId, idempotencyKey } = charge;
  if (!settlesAt || !isBankDebit(token)) return;
  announce(em, organizationId, {
    object: 'charge',
    type: 'charge.settled',
    reference: intentReferenceOf(idempotencyKey),
    chargeKey: idempotencyKey,
    dueAt: settlesAt,
  });
}

export const lookup = (session: Session, { idempotencyKey }: ChargeName) =>
  ownRecords(session).transactional(async (em) => {
    const known = await lockCharge(em, idempotencyKey, session.now);
    return known && outcomeOf(known);
  });

export const cancel = (session: Session, { idempotencyKey }: ChargeName) =>
  ownRecords(session).transactional(async (em) => {
    const known = await lockCharge(em, idempotencyKey, session.now);
    if (!known) return undefined;
    const isOpen = known.status === 'processing' || known.status === 'requires_action';
    const waitsForPage = known.failureCode === 'authentication_required';
    if ((isOpen && !isBankDebit(known.token)) || waitsForPage) known.status = 'canceled';
    return outcomeOf(known);
  });

/** The state of a charge as the port describes it. */
export function outcomeOf(charge: SandboxCharge): ChargeOutcome {
  const { idempotencyKey, status, failureCode, failureMessage, amount, currency, token } = charge;
  const failed = status === 'failed' ? failureOf(failureCode) : undefined;
  const waits = status === 'requires_action' && hasActionPage(token);
  return {
    status,
    reference: intentReferenceOf(idempotencyKey),
    chargeReference: status === 'succeeded' ? chargeReferenceOf(idempotencyKey) : null,
    failureCode: failureCode ?? null,
    failureMessage: failureMessage ?? null,
    declineCode: failed ? (failureCode ?? null) : null,
    adviceCode: failed?.advice ?? null,
    networkDeclineCode: failed?.network ?? null,
    failureKind: failed?.kind ?? null,
    actionUrl: waits
      ? serviceUrl(`/sandbox/confirmations/${confirmationName(idempotencyKey)}`)
      : null,
    receiptUrl: null,
    methodData: null,
    amount,
    currency,
  };
}
