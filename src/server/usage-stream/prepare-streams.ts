import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import { ConfigError, type NatsSettings } from '#config';
import { partitionCount } from '#domain/recording/inbox/usage-stream.ts';
import type { Ready } from './nats-stream.ts';

/** A stream of usage, one for each partition. */
export interface Partition {
  /** The name at JetStream. */
  readonly name: string;
  readonly subject: string;
  /** The name with the instant of its creation. */
  readonly stream: string;
}

/** The subject of the stream of a partition of a cell. */
export const subjectOf = (cell: string, partition: number) => `usage.${cell}.${partition}`;

const streamNotFound = 10_059;

/** Whether the streams are those that were prepared. Errors: those of JetStream. */
export async function isUnchanged({ client, partitions }: Ready): Promise<boolean> {
  const manager = await client.jetstreamManager(false);
  for (const { name, stream } of partitions) {
    const info = await find(manager, name);
    if (!info || stream !== identity(info)) return false;
  }
  return true;
}

async function find(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if ((error as { code?: number }).code === streamNotFound) return undefined;
    throw error;
  }
}

const identity = ({ config, created }: StreamInfo) => `${config.name} ${created}`;

/** Repeats of a message that was not acknowledged are sent for seconds only. */
const duplicateWindowNanoseconds = 120_000_000_000;

/**
 * The streams of a cell. Those that do not exist are created where it `creates`. Errors: ConfigError for a missing
 * stream, or one that could lose an acknowledged message; those of JetStream.
 */
export async function prepareStreams(
  manager: JetStreamManager,
  { cell, replicas }: Pick<NatsSettings, 'cell' | 'replicas'>,
  { creates }: { readonly creates: boolean },
): Promise<Partition[]> {
  const partitions: Partition[] = [];
  for (let number = 0; number < partitionCount; number++) {
    const name = `usage-${cell}-${number}`;
    const subject = subjectOf(cell, number);
    const found = await find(manager, name);
    if (!found && !creates) throw new ConfigError(`There is no stream ${name} in JetStream yet`);
    const info = found ?? (await create(manager, name, subject, replicas));
    refuseUnsafe(info, subject, replicas);
    partitions.push({ name, subject, stream: identity(info) });
  }
  return partitions;
}

async function create(
  manager: JetStreamManager,
  name: string,
  subject: string,
  replicas: number,
): Promise<StreamInfo> {
  try {
    return await manager.streams.add({
      name,
      subjects: [subject],
      description: 'Usage that Tollgate has accepted, and not moved to its database yet',
      num_replicas: replicas,
      storage: 'file',
      retention: 'limits',
      discard: 'new',
      duplicate_window: duplicateWindowNanoseconds,
      max_age: 0,
      max_msgs: -1,
      max_bytes: -1,
    });
  } catch (error) {
    throw new ConfigError(
      `JetStream refuses to create the stream ${name} with ${replicas} replicas: ${(error as Error).message}`,
    );
  }
}

/** Errors: ConfigError that names the property. */
function refuseUnsafe({ config }: StreamInfo, subject: string, replicas: number) {
  const { name } = config;
  const refuse = (problem: string): never => {
    throw new ConfigError(`The stream ${name} of JetStream ${problem}`);
  };
  if (config.num_replicas < replicas) {
    refuse(
      `has ${config.num_replicas} of ${replicas} replicas: one lost server would lose acknowledged usage. Change the stream, or set NATS_REPLICAS=${config.num_replicas} for development`,
    );
  }
  if (config.storage !== 'file') refuse('must have file storage');
  if (config.persist_mode === 'async') refuse('must not have the persistence mode async');
  if (config.retention !== 'limits') refuse('must have the retention limits');
  if (config.discard !== 'new') refuse('must discard new messages when it is full, never old ones');
  if (config.max_age > 0 || config.max_msgs > 0 || config.allow_msg_ttl) {
    refuse('must not delete messages by age or number: remove max_age, max_msgs and allow_msg_ttl');
  }
  if (config.max_msgs_per_subject > 0) refuse('must not delete messages by subject');
  if (config.deny_purge) refuse('must allow to purge messages that are counted');
  if (config.subjects.join() !== subject) refuse(`must have the subject ${subject} alone`);
}
