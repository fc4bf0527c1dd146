import { pino } from 'pino';

/** One JSON object a line on standard output. */
export function createLogger(level: string) {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Whatever is logged, a credential is not.
    redact: ['authorization', '*.authorization', 'token', '*.token', 'secret', '*.secret'],
  });
}

export type Logger = ReturnType<typeof createLogger>;
