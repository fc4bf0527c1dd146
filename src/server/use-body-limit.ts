import type { Plugin } from 'graphql-yoga';
import { boundedText, isTooLarge } from '#rest/body.ts';

/** What a GraphQL request may weigh. */
const limitBytes = 1024 * 1024;

/** Refuses large requests before they are read; one that does not say its size is read up to the limit. */
export function useBodyLimit(): Plugin {
  return {
    async onRequest({ request, fetchAPI, setRequest, endResponse }) {
      // Whatever its address: more than one leads to the graph, and REST has been answered already.
      if (request.method !== 'POST') return;
      const announced = request.headers.get('content-length');
      if (announced && !isTooLarge(announced, limitBytes)) return;
      const body = announced ? undefined : await boundedText(request, limitBytes);
      if (body === undefined) return endResponse(tooLarge(fetchAPI.Response));
      const { method, headers, signal } = request;
      setRequest(new fetchAPI.Request(request.url, { method, headers, body, signal }));
    },
  };
}

function tooLarge(Response: typeof globalThis.Response) {
  const message = `The request is larger than ${limitBytes} bytes`;
  const errors = [{ message, extensions: { code: 'BAD_REQUEST' } }];
  return Response.json({ errors }, { status: 413 });
}
