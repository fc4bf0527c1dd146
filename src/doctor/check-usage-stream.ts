import type { EntityManager } from '@mikro-orm/postgresql';
import type { NatsSettings } from '#config';
import { createLogger } from '#server/logger.ts';
import { error, type Finding, ok, warning } from './finding.ts';

const mostSeconds = 60;

/** Checks the stream that accepts usage: its servers, its streams, and how far its messages are in the database. */
export async function checkUsageStream(
  settings: NatsSettings | undefined,
  em: EntityManager,
): Promise<Finding[]> {
  const [{ count } = { count: 0 }] = await em.execute<{ count: number }[]>(
    'select count(*)::int as count from usage_stream_model',
  );
  if (!settings) {
    if (count === 0) return [];
    return [
      error(
        `Usage of ${count} pricing models may be in a stream, and NATS_URLS is not set`,
        'set NATS_URLS as for the other processes, or end its use (guide "Streams of usage")',
      ),
    ];
  }
  const { openUsageStream } = await import('#server/usage-stream/open-usage-stream.ts');
  try {
    await using stream = await openUsageStream(settings, createLogger('silent'), {
      creates: false,
    });
    if (!stream.isReady()) {
      return [error('NATS cannot be reached', 'check NATS_URLS, the servers and the network')];
    }
    const findings = [ok(`JetStream accepts usage of the cell ${settings.cell}`)];
    if (settings.monitoringUrls.length === 0) {
      findings.push(
        warning(
          'NATS_MONITORING_URLS is not set, so sync_interval: always is not checked',
          'set it to the monitoring address of each NATS server',
        ),
      );
    }
    for (const { partition, messages, ageSeconds, missing } of await stream.pending(em)) {
      if (missing > 0) {
        findings.push(
          error(
            `${partition} has lost ${missing} messages that were acknowledged`,
            'the log names their sequences; check sync_interval and the disks of the servers',
          ),
        );
      }
      if (ageSeconds > mostSeconds) {
        findings.push(
          error(
            `${partition} has ${messages} messages that no process has moved for ${Math.round(ageSeconds)} s`,
            'run a process with CRON=on and NATS_URLS; its log names what fails',
          ),
        );
      }
    }
    return findings;
  } catch (problem) {
    return [error((problem as Error).message, 'repair it: the service does not start with it')];
  }
}
