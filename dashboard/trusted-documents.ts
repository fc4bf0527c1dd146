import { createHash } from 'node:crypto';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { type DocumentNode, Kind, print } from '@0no-co/graphql.web';
import { formatDocument, stringifyDocument } from '@urql/core';

const here = import.meta.dirname;

/**
 * The texts of all operations of the dashboard by their digests. A text is sent as it is written, or with the names of
 * the types, which the cache adds.
 */
export async function trustedDocuments(): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for await (const file of glob('{src,client/src}/**/*.generated.ts', { cwd: here })) {
    const values: unknown[] = Object.values(await import(path.join(here, file)));
    for (const document of values.filter(isOperation)) {
      for (const text of [print(document), stringifyDocument(formatDocument(document))]) {
        texts[createHash('sha256').update(text).digest('hex')] = text;
      }
    }
  }
  return texts;
}

const isOperation = (value: unknown): value is DocumentNode =>
  (value as DocumentNode | undefined)?.kind === Kind.DOCUMENT &&
  (value as DocumentNode).definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
