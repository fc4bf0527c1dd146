import type { EntityManager } from '@mikro-orm/postgresql';
import type { NatsSettings } from '#config';
import { createLogger } from '#server/observability/logger.ts';
import type { ServersHealth } from '#server/usage-stream/open-usage-stream.ts';
import type { PendingMessages } from '#server/usage-stream/pending-messages.ts';
import type { StreamHealth } from '#server/usage-stream/stream-health.ts';
import { error, type Finding, ok, warning } from './finding.ts';

const mostSeconds = 60;

/**
 * Checks the stream that accepts usage: its servers and their disks, the copies of its streams, who reads them, and how
 * far their messages are in the database.
 */
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
    const health = await stream.health();
    const pending = await stream.pending(em);
    if (!health) return [error('JetStream does not answer', 'look at the logs of its servers')];
    const waiting = pending.reduce((sum, { messages }) => sum + messages, 0);
    return [
      ...checkServers(settings, health),
      ...checkDisks(settings, health),
      ...pending.flatMap((each) => checkMoving(each, health.streams)),
      ok(`${waiting} messages wait to be moved into the database`),
    ];
  } catch (problem) {
    return [error((problem as Error).message, 'repair it: the service does not start with it')];
  }
}

/** Checks which servers keep the streams, and that each of them has everything. */
function checkServers({ cell, replicas }: NatsSettings, health: ServersHealth): Finding[] {
  const { version, streams } = health;
  const findings = [
    ok(
      `JetStream ${version} accepts usage of the cell ${cell} in ${streams.length} streams; servers for each: ${replicas}`,
    ),
  ];
  for (const { partition } of streams.filter(({ leader }) => leader === undefined)) {
    findings.push(
      error(`${partition} has no leader`, 'start the NATS servers: most of its servers must run'),
    );
  }
  const late = Map.groupBy(
    streams.flatMap(({ copies }) => copies).filter(({ isCurrent }) => !isCurrent),
    ({ server }) => server,
  );
  for (const [server, own] of late) {
    findings.push(
      warning(
        `The NATS server ${server} does not follow ${own.length} streams; it lacks up to ${Math.max(...own.map(({ lag }) => lag))} operations`,
        'start it, or look at its log: without another server usage would be refused',
      ),
    );
  }
  return findings;
}

/** Checks that each server writes messages to its disk at once, as far as this is known. */
function checkDisks({ monitoringUrls }: NatsSettings, health: ServersHealth): Finding[] {
  const servers = new Set(
    health.streams.flatMap(({ leader, copies }) => [leader, ...copies.map(({ server }) => server)]),
  );
  const advice = 'set NATS_MONITORING_URLS to the monitoring address of each NATS server';
  const unread = health.unread.map((problem) =>
    warning(`sync_interval: always is not checked: ${problem}`, advice),
  );
  if (monitoringUrls.length === 0) {
    return [
      warning('NATS_MONITORING_URLS is not set, so sync_interval: always is not checked', advice),
    ];
  }
  if (monitoringUrls.length < servers.size) {
    const found = `NATS_MONITORING_URLS names ${monitoringUrls.length} of ${servers.size} NATS servers: sync_interval: always is not checked at the others`;
    return [...unread, warning(found, advice)];
  }
  const all = ok('Each NATS server writes messages to its disk at once');
  return unread.length > 0 ? unread : [all];
}

/** Checks that the messages of a stream are moved, and that none is missing. */
function checkMoving(
  { partition, messages, ageSeconds, missing }: PendingMessages,
  streams: readonly StreamHealth[],
): Finding[] {
  const findings: Finding[] = [];
  if (missing > 0) {
    findings.push(
      error(
        `${partition} has lost ${missing} messages that were acknowledged`,
        'the log names their sequences; check sync_interval and the disks of the servers',
      ),
    );
  }
  if (ageSeconds <= mostSeconds) return findings;
  const consumers = streams.find((stream) => stream.partition === partition)?.consumers ?? 0;
  const reader = consumers > 0 ? 'a process reads them' : 'no process reads them';
  findings.push(
    error(
      `${partition} has ${messages} messages that are not moved for ${Math.round(ageSeconds)} s; ${reader}`,
      consumers > 0
        ? 'the log of the process with CRON=on names what fails'
        : 'run a process with CRON=on and NATS_URLS',
    ),
  );
  return findings;
}
