import type { createGateway } from '#server/yoga.ts';

// biome-ignore lint/suspicious/noExplicitAny: a message's shape is what the test is about
type Json = any;

/** Follows a live field over SSE; `next` waits for a message, so no test has to guess a time. */
export async function follow(
  gateway: ReturnType<typeof createGateway>,
  key: string,
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
) {
  const aborted = new AbortController();
  const response = await gateway.fetch('http://test/graphql', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
    signal: aborted.signal,
  });
  const messages = messagesOf(response);
  return {
    next: async (): Promise<Json> => (await messages.next()).value,
    leave: () => aborted.abort(),
  };
}

async function* messagesOf(response: Response): AsyncGenerator<Json> {
  let text = '';
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const data = /^data: (\{.*)$/m.exec(part)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
  // An error before the stream is a plain answer.
  if (text.startsWith('{')) yield JSON.parse(text);
}
