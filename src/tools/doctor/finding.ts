/** The result of a check. An `error` stops a business or loses data; a `warning` may do so later. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'error';
  /** The state that was found. */
  readonly found: string;
  /** How to repair it; absent for `ok`. */
  readonly advice?: string;
}

export const ok = (found: string): Finding => ({ level: 'ok', found });
export const warning = (found: string, advice: string): Finding => ({
  level: 'warning',
  found,
  advice,
});
export const error = (found: string, advice: string): Finding => ({
  level: 'error',
  found,
  advice,
});

/** The lines of a finding for a terminal. */
export const linesOf = ({ level, found, advice }: Finding) =>
  [`${level.padEnd(8)}${found}`, ...(advice ? [`        → ${advice}`] : [])].join('\n');
