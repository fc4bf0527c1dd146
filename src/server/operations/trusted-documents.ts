import { GraphQLError } from 'graphql';
import { DomainError } from '#domain/kernel/errors.ts';
import type { CredentialType } from '#domain/kernel/session.ts';
import { masked } from '../errors/mask-error.ts';

/** The documents of clients that the service knows in advance. */
export interface TrustedDocuments {
  /** The texts by their ids, as the manifests of build tools list them. */
  readonly texts: ReadonlyMap<string, string>;
  /** The credentials that may execute no other document. */
  readonly only: ReadonlySet<CredentialType>;
}

export const noTrustedDocuments: TrustedDocuments = { texts: new Map(), only: new Set() };

/** The parts of a request that name its document. */
export interface NamedDocument {
  readonly query?: string | null | undefined;
  /** `sha256:…`, or the id of the manifest. Apollo sends `persistedQuery.sha256Hash` in the extensions instead. */
  readonly documentId?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The id of the document that a request names; undefined when it names none. */
export function documentIdOf({ documentId, extensions }: NamedDocument): string | undefined {
  if (typeof documentId === 'string') return documentId;
  const { sha256Hash } = (extensions?.persistedQuery ?? {}) as { sha256Hash?: unknown };
  return typeof sha256Hash === 'string' ? sha256Hash : undefined;
}

/**
 * The text of the document that a request asks for: the one that it sends, or the trusted one that it names. Errors:
 * FORBIDDEN for any other document where only trusted ones are allowed; PERSISTED_QUERY_NOT_FOUND for an unknown id;
 * BAD_REQUEST for neither a text nor an id.
 */
export const textOf = masked(
  ({ texts, only }: TrustedDocuments, request: NamedDocument, credential: CredentialType) => {
    const { query } = request;
    if (query) {
      if (!only.has(credential) || textsIn(texts).has(query)) return query;
      throw new DomainError(
        'FORBIDDEN',
        'This credential may execute trusted documents only: send the documentId of one instead of a query',
      );
    }
    const id = documentIdOf(request);
    if (id === undefined) {
      throw new DomainError('BAD_REQUEST', 'The request has no document: send query or documentId');
    }
    // Manifests name a document with or without the algorithm.
    const text =
      texts.get(id) ?? texts.get(id.replace(/^sha256:/, '')) ?? texts.get(`sha256:${id}`);
    if (text === undefined) throw unknownDocument(id);
    return text;
  },
);

/** The set of the texts, made once for each manifest. */
function textsIn(texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const known = sets.get(texts) ?? new Set(texts.values());
  sets.set(texts, known);
  return known;
}

const sets = new WeakMap<object, ReadonlySet<string>>();

/** Apollo Client repeats a request with its query after this code. */
const unknownDocument = (id: string) =>
  new GraphQLError(
    `There is no trusted document ${id.slice(0, 100)}: add it to the files of TRUSTED_DOCUMENTS, or send query`,
    { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', http: { spec: true, status: 400 } } },
  );
