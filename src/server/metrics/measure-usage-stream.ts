import type { MikroORM } from '@mikro-orm/postgresql';
import { Gauge, type Registry } from 'prom-client';
import type { OpenUsageStream } from '../usage-stream/open-usage-stream.ts';
import type { PendingMessages } from '../usage-stream/pending-messages.ts';

const values = [
  [
    'messages',
    'tollgate_usage_stream_messages',
    'Messages of accepted usage that are not in the inbox yet',
  ],
  [
    'ageSeconds',
    'tollgate_usage_stream_seconds',
    'Age of the oldest message of accepted usage that is not in the inbox yet',
  ],
  [
    'missing',
    'tollgate_usage_stream_missing',
    'Messages that JetStream has lost before they were in the inbox',
  ],
] as const;

/** The stream of accepted usage: whether it can be used, and its messages that are not in the inbox. */
export function measureUsageStream(
  registry: Registry,
  orm: MikroORM,
  stream: Pick<OpenUsageStream, 'isReady' | 'pending'>,
) {
  const up = new Gauge({
    name: 'tollgate_usage_stream_up',
    help: 'Whether this process can use the stream of accepted usage: 1 or 0',
    registers: [registry],
    collect() {
      this.set(stream.isReady() ? 1 : 0);
    },
  });
  // All gauges of a page show one moment.
  let asked: Promise<PendingMessages[]> | undefined;
  const ask = () => {
    asked ??= stream
      .pending(orm.em.fork())
      // The gauges have no value meanwhile, and the one above shows whether the stream can be used.
      .catch(() => [])
      .finally(() => {
        asked = undefined;
      });
    return asked;
  };
  const pending = values.map(
    ([value, name, help]) =>
      new Gauge({
        name,
        help,
        labelNames: ['partition'],
        registers: [registry],
        async collect() {
          const found = await ask();
          this.reset();
          for (const one of found) this.set({ partition: one.partition }, one[value]);
        },
      }),
  );
  return [up, ...pending];
}
