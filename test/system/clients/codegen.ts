import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addTypenameSelectionDocumentTransform, preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse, printSchema } from 'graphql';
import { schema } from '#schema/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: generated types exist only while the test runs
type Document = TypedDocumentNode<any, any> & { readonly __meta__: { readonly hash: string } };

/** The operations of the page, compiled by the client preset of GraphQL Code Generator. */
export interface Page {
  readonly Customers: Document;
  readonly OneCustomer: Document;
  readonly RenameCustomer: Document;
  readonly CustomerChanged: Document;
  readonly CustomerEvents: Document;
  readonly LiveCustomers: Document;
  /** The generated TypeScript. */
  readonly source: string;
  /** The file for TRUSTED_DOCUMENTS. */
  readonly manifest: string;
}

/** The types of the scalars, as the guide for clients lists them. */
export const scalars = {
  Timestamp: 'number',
  SafeInt: 'number',
  Decimal: 'number',
  Sequence: 'number',
  JSON: 'unknown',
  EventType: 'string',
};

/** Compiles the operations of a file into a folder, with the text of each operation in a manifest. */
export async function generateClient(folder: string, location: string) {
  const baseOutputDir = join(folder, 'gql/');
  await mkdir(baseOutputDir);
  const rawSDL = await readFile(location, 'utf8');
  const sections = await preset.buildGeneratesSection({
    baseOutputDir,
    presetConfig: { persistedDocuments: true, fragmentMasking: false },
    schema: parse(printSchema(schema)),
    schemaAst: schema,
    documents: [{ location, rawSDL, document: parse(rawSDL) }],
    config: { scalars, strictScalars: true, useTypeImports: true, enumType: 'string-literal' },
    plugins: [],
    pluginMap: {},
    documentTransforms: [{ transformObject: addTypenameSelectionDocumentTransform, config: {} }],
  } as never);
  const written = await Promise.all(
    sections.map(async (section) => {
      const content = await codegen(section as never);
      await writeFile(section.filename, content);
      return [section.filename, content] as const;
    }),
  );
  const file = (name: string) => written.find(([filename]) => filename.endsWith(name)) ?? ['', ''];
  const [module, source] = file('/graphql.ts');
  const [manifest] = file('/persisted-documents.json');
  return { folder: baseOutputDir, module, source, manifest };
}

/** Compiles the page for clients that run in this process. */
export async function generatePage(folder: string): Promise<Page> {
  const { module, source, manifest } = await generateClient(
    folder,
    'test/system/clients/page.graphql',
  );
  const generated = (await import(pathToFileURL(module).href)) as Record<string, Document>;
  const of = (name: string) => {
    const document = generated[`${name}Document`];
    if (!document) throw new Error(`${name} is not among ${Object.keys(generated)}`);
    return document;
  };
  return {
    Customers: of('Customers'),
    OneCustomer: of('OneCustomer'),
    RenameCustomer: of('RenameCustomer'),
    CustomerChanged: of('CustomerChanged'),
    CustomerEvents: of('CustomerEvents'),
    LiveCustomers: of('LiveCustomers'),
    source,
    manifest,
  };
}
