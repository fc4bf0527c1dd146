import type Stripe from 'stripe';
import { DomainError } from '#domain/kernel/errors.ts';
import {
  ProcessorMisconfigured,
  ProcessorUnreachable,
} from '#domain/money/processing/port/processor-errors.ts';
import { UnfitAmount } from './amounts.ts';
import { stripePackage } from './client.ts';

const errors = () => stripePackage().errors;

/** A refusal of a payment by Stripe or by a bank (402). */
export const isDecline = (error: unknown): error is Stripe.errors.StripeCardError =>
  error instanceof errors().StripeCardError;

/** A request that Stripe refuses as such (400, 404). */
export const isRefusedRequest = (
  error: unknown,
): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof errors().StripeInvalidRequestError;

/** The same key came before with other parameters: whether that request has acted is to be read. */
export const isOtherRequest = (error: unknown): boolean =>
  error instanceof errors().StripeIdempotencyError;

/** An object that does not exist, or belongs to another account or mode. */
export const isMissing = (error: unknown): boolean =>
  isRefusedRequest(error) && (error.statusCode === 404 || error.code === 'resource_missing');

/**
 * Executes a request to Stripe. A refused key or right becomes `ProcessorMisconfigured`. A lost connection, a limit, a
 * conflict and an error of Stripe become `ProcessorUnreachable`: it is unknown whether they have acted. Declines and
 * refused requests stay as they are.
 */
export async function asked<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw translated(error);
  }
}

function translated(error: unknown): unknown {
  if (!(error instanceof errors().StripeError)) return error;
  const detail = `${error.statusCode ?? 'no answer'}${error.requestId ? `, ${error.requestId}` : ''}`;
  if (error instanceof errors().StripeAuthenticationError) {
    return new ProcessorMisconfigured(`Stripe refuses the secret key (${detail})`);
  }
  if (error instanceof errors().StripePermissionError) {
    return new ProcessorMisconfigured(
      `The key lacks a right at Stripe (${detail}): ${withoutKeys(error.message)}`,
    );
  }
  if (isDecline(error) || isRefusedRequest(error) || isOtherRequest(error)) return error;
  const { headers } = error as Stripe.errors.StripeError;
  const seconds = Number(headers?.['retry-after']);
  return new ProcessorUnreachable(`Stripe has not answered the request (${detail})`, {
    ...(seconds > 0 && { retryAfter: seconds * 1_000 }),
    isReplayed: headers?.['idempotent-replayed'] === 'true',
  });
}

/**
 * The error that a caller of the port sees: refused requests without the objects and keys that Stripe's errors carry.
 */
export function plainError(error: unknown): unknown {
  if (error instanceof UnfitAmount) return new DomainError('BAD_REQUEST', error.message);
  if (!(error instanceof errors().StripeError)) return error;
  const { statusCode, requestId, message } = error as Stripe.errors.StripeError;
  const place = [statusCode, requestId].filter(Boolean).join(', ');
  return new DomainError(
    'BAD_REQUEST',
    `Stripe refuses the request (${place}): ${withoutKeys(message)}`,
  );
}

/** Stripe repeats parts of keys in its messages. */
export const withoutKeys = (message: string) =>
  message.replace(/\b((?:sk|rk|pk)_(?:live|test)|whsec)_[\w*]+/g, '$1_…');
