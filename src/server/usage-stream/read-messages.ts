import type { ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';

const mostMessages = 500;
/** A server that is gone is noticed after this time, and another one is asked. */
const heartbeatMilliseconds = 500;
const expiryMilliseconds = 2_000;

/**
 * The client stops watching heartbeats while it is not connected, and asks for a consumer on a lost server without end. A
 * reader that hears nothing for this time starts again.
 */
const silenceMilliseconds = 3_000;

/** The events after which a reader starts again, at whichever server is there. */
const ends = new Set([
  'heartbeats_missed',
  'consumer_not_found',
  'consumer_deleted',
  'stream_not_found',
  'ordered_consumer_recreated',
]);

/**
 * The messages of a stream after a sequence, in runs of consecutive ones that have arrived. It ends when `stop` aborts,
 * the server that reads is gone, or nothing is heard of it. Errors: those of JetStream.
 */
export async function* readMessages(
  client: JetStreamClient,
  stream: string,
  after: number,
  stop: AbortSignal,
): AsyncGenerator<JsMsg[]> {
  const consumer = await client.consumers.get(stream, {
    deliver_policy: 'by_start_sequence',
    opt_start_seq: after + 1,
  });
  const messages = await consumer.consume({
    max_messages: mostMessages,
    expires: expiryMilliseconds,
    idle_heartbeat: heartbeatMilliseconds,
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const finish = () => end(undefined);
  stop.addEventListener('abort', finish);
  if (stop.aborted) end(undefined);
  let silence: NodeJS.Timeout | undefined;
  const hear = () => {
    clearTimeout(silence);
    silence = setTimeout(finish, silenceMilliseconds).unref();
  };
  hear();
  void follow(messages, hear, finish);
  try {
    let run: JsMsg[] = [];
    for await (const message of until(messages, ended)) {
      hear();
      const last = run.at(-1);
      if (last && message.seq !== last.seq + 1) {
        yield run;
        run = [];
      }
      run.push(message);
      if (messages.getPending() > 0 && run.length < mostMessages) continue;
      yield run;
      run = [];
    }
  } finally {
    clearTimeout(silence);
    stop.removeEventListener('abort', finish);
    // A server that is gone answers neither: nothing waits for them.
    messages.close().catch(() => undefined);
    consumer.delete().catch(() => undefined);
  }
}

/** Calls `hear` for each heartbeat of the server, and `end` for an event that ends the reader. */
async function follow(messages: ConsumerMessages, hear: () => void, end: () => void) {
  for await (const { type } of messages.status()) {
    if (type === 'heartbeat') hear();
    if (ends.has(type)) end();
  }
}

async function* until(messages: ConsumerMessages, ended: Promise<undefined>) {
  const iterator = messages[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([iterator.next(), ended]);
    if (!next || next.done) return;
    yield next.value;
  }
}
