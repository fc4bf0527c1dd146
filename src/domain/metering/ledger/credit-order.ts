import type { Credit, Period } from './ledger.ts';

const endOf = ({ expiresAt }: Credit) => expiresAt ?? Number.MAX_VALUE;

/** The order in which credits are used: lowest priority number, earliest expiry, oldest. */
export const soonestFirst = (a: Credit, b: Credit) =>
  a.priority - b.priority ||
  endOf(a) - endOf(b) ||
  a.createdAt - b.createdAt ||
  a.position - b.position;

/** Whether a credit can be used at an instant. */
export const isUsable = ({ expiresAt }: Credit, now: number) =>
  expiresAt === null || expiresAt > now;

/** Whether a credit has expired before a period ends, so that it covers only the usage until then. */
export const ranOutWithin = ({ end }: Period, { expiresAt }: Credit, now: number) =>
  expiresAt !== null && expiresAt <= now && expiresAt < end;
