import { DeadlockException, UniqueConstraintViolationException } from '@mikro-orm/core';
import { inTransaction } from '#engines/lockstep/lockstep.ts';
import { AnswerNeeded, mostAnswers } from './answer-needed.ts';
import { type DomainError, invalid } from './errors.ts';
import type { IssueCode } from './issue-codes.ts';
import type { Session } from './session.ts';

type Promises = Readonly<Record<string, readonly [code: IssueCode, path: string, message: string]>>;

/**
 * Constraints of the database that a caller may violate, also in a race. Each has the input field to change and the
 * message.
 */
const promises: Promises = {
  customer_external_id_unique: [
    'TAKEN',
    'customer.externalId',
    'is the external id of another customer of this pricing model',
  ],
  discount_code_unique: [
    'TAKEN',
    'discount.code',
    'is the code of another discount of this pricing model',
  ],
  feature_slug_unique: [
    'TAKEN',
    'feature.slug',
    'is the slug of another feature of this pricing model',
  ],
  price_slug_unique: [
    'TAKEN',
    'price.slug',
    'is the slug of another active price of this pricing model',
  ],
  operator_email_unique: ['TAKEN', 'email', 'is the e-mail of another operator'],
  pricing_model_live_unique: [
    'TAKEN',
    'pricingModel.livemode',
    'the organization already has its one live pricing model',
  ],
  product_slug_unique: [
    'TAKEN',
    'product.slug',
    'is the slug of another product of this pricing model',
  ],
  subscription_external_id_unique: [
    'TAKEN',
    'externalId',
    'is the external id of another subscription of this pricing model',
  ],
  remittance_reference_unique: [
    'TAKEN',
    'reference',
    'is the reference of another payment of your organization that is expected or received',
  ],
  prepaid_top_up_active_unique: [
    'TAKEN',
    'prepaidTopUp.customerId',
    'has an active prepaid top-up already',
  ],
  resource_slug_unique: [
    'TAKEN',
    'resource.slug',
    'is the slug of another resource of this pricing model',
  ],
  subscription_item_feature_unique: [
    'TAKEN',
    'subscriptionItemFeature.featureId',
    'is already granted by this subscription item',
  ],
  top_up_active_unique: [
    'TAKEN',
    'topUp.usageMeterId',
    'has an active top-up of this subscription already',
  ],
  usage_meter_slug_unique: [
    'TAKEN',
    'usageMeter.slug',
    'is the slug of another usage meter of this pricing model',
  ],
};

const attempts = 3;
/** The default restart after a deadlock needs no preparation. */
const nothing = async () => {};

/**
 * Runs one command in one transaction: all of it is committed, with its events, or nothing is. Locks follow one
 * order. If unique values deadlock all the same (two records swap slugs), the command that PostgreSQL aborts runs
 * again. So does one that needs the answer of another service, after the answer. `named` names the field to change where
 * the command takes a value from another field than its record does.
 */
export async function command<T>(
  session: Session,
  work: (session: Session) => Promise<T>,
  named: Promises = {},
): Promise<T> {
  let answers = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(session.em, (em) => work({ ...session, em }));
    } catch (error) {
      const isDeadlock = error instanceof DeadlockException;
      // Within a larger transaction no retry is possible: it has failed as a whole.
      const isWithin = session.em.isInTransaction();
      if (error instanceof AnswerNeeded && !isWithin) {
        if (answers === mostAnswers) throw error.unanswered;
        await error.ask();
        answers += 1;
        attempt -= 1;
        continue;
      }
      if (isWithin) restartAfter(error, session);
      if (!isDeadlock || isWithin || attempt === attempts)
        throw uniqueRefusal(error, named) ?? error;
    }
  }
}

/**
 * A command without a savepoint if it has a keyed request's transaction to itself: its failure rolls back that
 * transaction. Otherwise it behaves like `command`.
 */
export async function onlyCommand<T>(
  session: Session,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { em, idempotency, dryRun } = session;
  if (!idempotency?.isAlone || dryRun || !em.isInTransaction()) return command(session, work);
  try {
    return await work(session);
  } catch (error) {
    idempotency.isSpoiled = true;
    restartAfter(error, session);
    throw uniqueRefusal(error, {}) ?? error;
  }
}

/** Has a keyed request restart whose transaction has failed for a reason that a restart removes. */
function restartAfter(error: unknown, { idempotency }: Session) {
  if (!idempotency) return;
  if (error instanceof DeadlockException) idempotency.restart ??= nothing;
  if (error instanceof AnswerNeeded) idempotency.restart ??= error.ask;
}

function uniqueRefusal(error: unknown, named: Promises): DomainError | undefined {
  if (!(error instanceof UniqueConstraintViolationException)) return undefined;
  const { constraint } = error as { constraint?: string };
  const promise = { ...promises, ...named }[constraint ?? ''];
  return promise && invalid(...promise, { cause: error });
}
