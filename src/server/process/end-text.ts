import { ConfigError } from '#config';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { DataDirError } from '../embedded-postgres/data-dir-lock.ts';

const full = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/i;
/** The code of PostgreSQL for a full disk. */
const fullState = '53100';

/** The text that a program prints when an error ends it: one line for what its user can repair, else the stack. */
export function endText(error: unknown): string {
  const { code = '', message = String(error), stack } = error as Error & { code?: string };
  if (full.test(`${code} ${message}`) || code === fullState) {
    const line = message.split('\n').find((one) => full.test(one)) ?? message;
    return `The disk is full: ${line.trim()}. Free some space and start again; what was stored stays`;
  }
  if (error instanceof ConfigError || error instanceof DataDirError) return message;
  const failure = databaseFailure(error);
  return failure === undefined ? (stack ?? message) : `The database has failed: ${failure}`;
}
