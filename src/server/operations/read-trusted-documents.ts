import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, validate } from 'graphql';
import { ConfigError } from '#config';
import type { CredentialType } from '#domain/kernel/session.ts';
import { schema } from '#schema/index.ts';
import { dashboardIn } from '../http/dashboard-files.ts';
import { noTrustedDocuments, type TrustedDocuments } from './trusted-documents.ts';

/** The settings of trusted documents. */
interface Settings {
  /** A manifest, or a folder of them. */
  readonly trustedDocumentsPath?: string | undefined;
  readonly trustedDocumentsOnly?: readonly CredentialType[] | undefined;
}

/** An entry of Apollo's manifest. */
interface Operation {
  readonly id: unknown;
  readonly body: unknown;
}

/**
 * Reads the manifests of GraphQL Code Generator or Relay (an object of texts by ids) and of Apollo (`operations`).
 * `warn` receives a line for each document that does not fit the schema. Errors: ConfigError.
 */
export async function readTrustedDocuments(
  { trustedDocumentsPath: place, trustedDocumentsOnly = [] }: Settings,
  warn: (line: string) => void,
): Promise<TrustedDocuments> {
  if (place === undefined && trustedDocumentsOnly.length === 0) return noTrustedDocuments;
  const texts = new Map<string, string>();
  // The dashboard is part of the service, so its operations are allowed where others are not.
  if (trustedDocumentsOnly.length > 0) {
    for (const [id, text] of await dashboardIn().documents()) texts.set(id, text);
  }
  for (const file of place === undefined ? [] : await filesAt(place)) {
    for (const [id, text] of await entriesOf(file)) {
      if (texts.has(id) && texts.get(id) !== text) {
        throw problem(file, `has a document ${id} that differs from the one of another file`);
      }
      texts.set(id, text);
      const reason = misfitOf(text);
      if (reason) warn(`The trusted document ${id} of ${file} does not fit the schema: ${reason}`);
    }
  }
  return { texts, only: new Set(trustedDocumentsOnly) };
}

async function filesAt(place: string): Promise<string[]> {
  try {
    if (!(await stat(place)).isDirectory()) return [place];
    const files = (await readdir(place)).filter((name) => name.endsWith('.json')).sort();
    return files.map((name) => join(place, name));
  } catch (error) {
    throw problem(place, `cannot be read (${(error as Error).message})`);
  }
}

async function entriesOf(file: string): Promise<[string, string][]> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw problem(file, `is not a JSON file that can be read (${(error as Error).message})`);
  }
  const { operations } = (content ?? {}) as { operations?: unknown };
  const entries = Array.isArray(operations)
    ? operations.map(({ id, body }: Operation) => [id, body])
    : Object.entries((content ?? {}) as object);
  const isManifest = entries.every((entry) => entry.every((part) => typeof part === 'string'));
  if (isManifest && !Array.isArray(content)) return entries as [string, string][];
  throw problem(file, 'must be an object of documents by their ids, or a manifest of Apollo');
}

function misfitOf(text: string): string | undefined {
  try {
    return validate(schema, parse(text), undefined, { maxErrors: 1 })[0]?.message;
  } catch (error) {
    return (error as Error).message;
  }
}

const problem = (file: string, what: string) =>
  new ConfigError(`TRUSTED_DOCUMENTS: ${file} ${what}`);
