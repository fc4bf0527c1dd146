import type { Plugin } from 'graphql-yoga';

/** A message as Yoga writes it, its kind and its data in one chunk or in two. */
const message = /^(?:event: next\n)?data: (\{.*\})\n\n$/s;

/**
 * Sets the sequence of an SSE message of the graph as its id, which clients send back when they reconnect. A page that
 * passes on such messages passes on their ids.
 */
export function useSseIds(isGraph: (url: URL) => boolean): Plugin {
  return {
    onResponse({ request, response, setResponse, fetchAPI }) {
      if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
        return;
      if (!isGraph(new URL(request.url))) return;
      const body = response.body.pipeThrough(new fetchAPI.TransformStream(withIds()));
      const { status, headers } = response;
      setResponse(new fetchAPI.Response(body, { status, headers }));
    },
  };
}

/** The order of lines within a message is free, so the id precedes the others. */
function withIds(): Transformer<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  return {
    transform(chunk, controller) {
      const text = Buffer.from(chunk).toString('utf8');
      const [, data] = message.exec(text) ?? [];
      const sequence = data && sequenceIn(data);
      if (typeof sequence === 'number') controller.enqueue(encoder.encode(`id: ${sequence}\n`));
      controller.enqueue(chunk);
    },
  };
}

function sequenceIn(text: string): number | undefined {
  const { data } = JSON.parse(text) as { data?: Record<string, unknown> | null };
  for (const field of Object.values(data ?? {})) {
    const { sequence } = (field ?? {}) as { sequence?: unknown };
    if (typeof sequence === 'number') return sequence;
  }
  return undefined;
}
