import { setTimeout as sleep } from 'node:timers/promises';

/** A client that follows the feed over SSE and resumes after the last event it has seen. */
export interface Follower {
  readonly pricingModelId: string;
  /** The sequences of all events, in the order in which they came. */
  readonly sequences: number[];
  /** How often it had to connect. */
  readonly connections: () => number;
}

const query = 'subscription Follow($after: Sequence) { events(after: $after) { sequence } }';

/** Follows until `stop`, by whichever process answers. */
export function follow(
  address: () => string,
  secretKey: string,
  pricingModelId: string,
  stop: AbortSignal,
): Follower {
  const sequences: number[] = [];
  let connections = 0;

  async function once() {
    const response = await fetch(`${address()}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query, variables: { after: sequences.at(-1) ?? 0 } }),
      signal: stop,
    });
    if (!response.ok || !response.body) return;
    connections += 1;
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('data: {')) continue;
        const { data } = JSON.parse(line.slice('data: '.length));
        if (data?.events) sequences.push(data.events.sequence);
      }
    }
  }

  async function run() {
    while (!stop.aborted) {
      // A connection that breaks is opened again, and resumes after the last event.
      await once().catch(() => undefined);
      await sleep(100);
    }
  }
  void run();
  return { pricingModelId, sequences, connections: () => connections };
}
