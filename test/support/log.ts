import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Logger } from '#server/observability/logger.ts';

/** A logger at level info whose lines are added to a list, as objects. */
export function linesTo(lines: Record<string, unknown>[]): Logger {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return pino({ level: 'info', base: null }, stream) as Logger;
}
