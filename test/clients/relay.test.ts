import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from 'graphql-sse';
import compiler from 'relay-compiler';
import runtime, { type ConcreteRequest, type GraphQLResponse, type ReaderFragment } from 'relay-runtime';
import { expect } from 'vitest';
import { aCustomer } from '../support/factories.ts';
import { scalars } from './codegen.ts';
import { socketOf, test as base } from './service.ts';

const { commitMutation, ConnectionHandler, createOperationDescriptor, Environment } = runtime;
const { fetchQuery, getSelector, Network, RecordSource, requestSubscription, Store } = runtime;

/** Compiles the page, and imports what Relay’s plugin for a bundler would. */
async function compile(folder: string) {
  const artifactDirectory = join(folder, 'artifacts');
  await mkdir(join(folder, 'src'));
  await mkdir(artifactDirectory);
  await cp('test/clients/relay-page.ts', join(folder, 'src/relayPage.ts'));
  await cp('schema/schema.graphql', join(folder, 'schema.graphql'));
  const config = {
    src: './src',
    schema: './schema.graphql',
    language: 'typescript',
    artifactDirectory: './artifacts',
    eagerEsModules: true,
    useImportTypeSyntax: true,
    requireCustomScalarTypes: true,
    customScalarTypes: scalars,
  };
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
  await promisify(execFile)(String(compiler), ['relay.config.json'], { cwd: folder });
  for (const file of await readdir(artifactDirectory)) {
    const path = join(artifactDirectory, file);
    // Bundlers find the file without its ending, and Node does not.
    const text = (await readFile(path, 'utf8')).replace(/(from '\.\/\w+\.graphql)'/g, "$1.ts'");
    await writeFile(path, text);
  }
  const artifact = async <T>(name: string): Promise<T> => {
    const module = await import(pathToFileURL(join(artifactDirectory, `${name}.graphql.ts`)).href);
    return module.default;
  };
  return {
    query: await artifact<ConcreteRequest>('relayPageQuery'),
    more: await artifact<ConcreteRequest>('relayPageMoreQuery'),
    list: await artifact<ReaderFragment>('relayPage_customers'),
    row: await artifact<ReaderFragment>('relayPage_row'),
    rename: await artifact<ConcreteRequest>('relayPageRenameMutation'),
    changed: await artifact<ConcreteRequest>('relayPageChangedSubscription'),
    rowSource: await readFile(join(artifactDirectory, 'relayPage_row.graphql.ts'), 'utf8'),
  };
}

const test = base.extend('page', { scope: 'file' }, ({ folder }) => compile(folder));
