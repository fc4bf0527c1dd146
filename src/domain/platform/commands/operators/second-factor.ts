import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { randomText } from '#domain/kernel/ids.ts';
import type { Operator } from '#domain/model/platform/operator.ts';

const periodSeconds = 30;
/** A code of the period before and after is valid too, since clocks of phones differ. */
const window = 1;
const secretBytes = 20;
const recoveryCodeCount = 10;

const totpOf = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Tollgate',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });

/** A new secret in base 32, and the address with which an authenticator app takes it. */
export function newTotpSecret(email: string) {
  const secret = new Secret({ size: secretBytes }).base32;
  return { secret, url: totpOf(secret, email).toString() };
}

/** The period whose code this is, if it is later than the last used one; undefined for a wrong or used code. */
export function stepOf(
  secret: string,
  code: string,
  { now, lastStep }: { readonly now: Date; readonly lastStep: number | null | undefined },
): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token, timestamp, window });
  if (delta === null) return undefined;
  const step = Math.floor(timestamp / 1_000 / periodSeconds) + delta;
  return lastStep == null || step > lastStep ? step : undefined;
}

/** Recovery codes such as `a1b2c-d3e4f-g5h6j`, which people can copy. */
export const newRecoveryCodes = () =>
  Array.from({ length: recoveryCodeCount }, () =>
    [0, 1, 2].map(() => randomText(5).toLowerCase()).join('-'),
  );

/** The stored form of a recovery code. Codes are random and long, so a plain SHA-256 cannot be reversed. */
export const hashRecoveryCode = (code: string) =>
  createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toLowerCase()).digest('hex');

/** Whether a code of the app or a recovery code is right. A right one is used up; the operator must be locked. */
export function useCode(operator: Operator, code: string, now: Date): boolean {
  const secret = operator.openTotpSecret('confirmed');
  if (secret === undefined) return false;
  const step = stepOf(secret, code, { now, lastStep: operator.totpStep });
  if (step !== undefined) {
    operator.totpStep = step;
    return true;
  }
  const given = hashRecoveryCode(code);
  const rest = operator.recoveryCodes.filter((hash) => hash !== given);
  if (rest.length === operator.recoveryCodes.length) return false;
  operator.recoveryCodes = rest;
  return true;
}
