import type { Plugin } from 'graphql-yoga';
import type { KeySession } from '../auth/authenticate.ts';
import {
  documentIdOf,
  type NamedDocument,
  type TrustedDocuments,
  textOf,
} from './trusted-documents.ts';

/**
 * Puts the text of a trusted document in place of its id, over HTTP and SSE; WebSockets do the same for each
 * operation. REST has its own documents.
 */
export function useTrustedDocuments(
  trusted: TrustedDocuments,
  sessionOf: (request: Request, serverContext: object) => Promise<KeySession>,
): Plugin {
  return {
    async onParams({ request, params, setParams, context }) {
      const { documentId: _, ...standard } = params as typeof params & NamedDocument;
      const named = { ...params, documentId: documentIdIn(request, params) };
      // Without any document, the answer is the one of the protocol.
      if (!params.query && documentIdOf(named) === undefined) return;
      const { keyType } = await sessionOf(request, context as object);
      setParams({ ...standard, query: textOf(trusted, named, keyType) });
    },
  };
}

/** The id in the body, or in the address of a GET request. */
const documentIdIn = (request: Request, params: NamedDocument) =>
  params.documentId ??
  (request.method === 'GET' ? new URL(request.url).searchParams.get('documentId') : undefined);
