import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from 'graphql-sse';
import runtime, {
  type ConcreteRequest,
  type GraphQLResponse,
  type ReaderFragment,
} from 'relay-runtime';
import { expect } from 'vitest';
import { readConfig } from '#config';
import { readTrustedDocuments } from '#server/operations/read-trusted-documents.ts';
import { aCustomer } from '../../support/factories.ts';
import { scalars } from './codegen.ts';
import { test as base, serve, socketOf } from './service.ts';

const { commitMutation, ConnectionHandler, createOperationDescriptor, Environment } = runtime;
const { fetchQuery, getSelector, Network, RecordSource, requestSubscription, Store } = runtime;

/** Compiles the page, and imports what Relay’s plugin for a bundler would. */
async function compile(folder: string) {
  const artifactDirectory = join(folder, 'artifacts');
  await mkdir(join(folder, 'src'));
  await mkdir(artifactDirectory);
  await cp('test/system/clients/relay-page.ts', join(folder, 'src/relayPage.ts'));
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
    persistConfig: { file: './persisted.json', algorithm: 'SHA256' },
  };
  const manifest = join(folder, 'persisted.json');
  await writeFile(manifest, '{}');
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
  await promisify(execFile)(
    createRequire(import.meta.url)('relay-compiler'),
    ['relay.config.json'],
    { cwd: folder },
  );
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
    manifest,
    query: await artifact<ConcreteRequest>('relayPageQuery'),
    more: await artifact<ConcreteRequest>('relayPageMoreQuery'),
    list: await artifact<ReaderFragment>('relayPage_customers'),
    row: await artifact<ReaderFragment>('relayPage_row'),
    rename: await artifact<ConcreteRequest>('relayPageRenameMutation'),
    changed: await artifact<ConcreteRequest>('relayPageChangedSubscription'),
    rowSource: await readFile(join(artifactDirectory, 'relayPage_row.graphql.ts'), 'utf8'),
  };
}

/** A service that executes the compiled documents and no others. */
const test = base
  .extend('page', { scope: 'file' }, ({ folder }) => compile(folder))
  .extend('trusting', { scope: 'file' }, async ({ database, hub, page }, { onCleanup }) => {
    const settings = { TRUSTED_DOCUMENTS: page.manifest, TRUSTED_DOCUMENTS_ONLY: 'all' };
    const trusted = await readTrustedDocuments(readConfig(settings), (line) => {
      throw new Error(line);
    });
    const server = await serve(database.orm, hub, { trustedDocuments: trusted });
    onCleanup(() => server[Symbol.asyncDispose]());
    return `${server.url}`;
  });

/** An environment whose live updates use one of the two transports. */
function environmentOf(url: string, key: string, transport: 'SSE' | 'WebSocket') {
  const authorization = `Bearer ${key}`;
  const sse = createClient({ url: `${url}/graphql`, headers: { authorization }, retryAttempts: 0 });
  const socket = socketOf(url, key);
  const replays: boolean[] = [];
  const environment = new Environment({
    network: Network.create(
      async ({ id }, variables, { metadata }) => {
        const { idempotencyKey } = metadata ?? {};
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ documentId: id, variables, extensions: { idempotencyKey } }),
        });
        const result = await response.json();
        replays.push(result.extensions?.idempotentReplayed === true);
        return result;
      },
      ({ id, name }, variables) =>
        runtime.Observable.create<GraphQLResponse>((sink) => {
          const request = { query: '', documentId: id, operationName: name, variables };
          const into = {
            next: (result: unknown) => sink.next(result as GraphQLResponse),
            error: (error: unknown) => sink.error(error as Error),
            complete: () => sink.complete(),
          };
          return transport === 'SSE'
            ? sse.subscribe(request, into)
            : socket.subscribe(request, into);
        }),
    ),
    store: new Store(new RecordSource()),
  });
  const dispose = async () => {
    sse.dispose();
    await socket.dispose();
  };
  return { environment, replays, dispose };
}

test('the Relay compiler types each scalar', ({ page: { rowSource } }) => {
  expect(rowSource).toContain('readonly createdAt: number');
});

test.for(['SSE', 'WebSocket'] as const)(
  'Relay with trusted documents: a connection in pages, an optimistic and repeatable mutation, and live updates over %s',
  async (transport, { trusting, tenant, session, page }) => {
    const { id, externalId } = await aCustomer(session);
    await aCustomer(session);
    await aCustomer(session);
    const { environment, replays, dispose } = environmentOf(trusting, tenant.key, transport);
    const operation = createOperationDescriptor(page.query, {});
    const release = environment.retain(operation);
    await fetchQuery(environment, page.query, {}).toPromise();

    // The fields that the components of the page show.
    type Rows = { customers: { totalCount: number; edges: { node: object }[] } };
    const listed = () => {
      const root = environment.lookup(operation.fragment).data;
      return environment.lookup(getSelector(page.list, root as never) as never)
        .data as unknown as Rows;
    };
    const shown = () =>
      listed().customers.edges.map(({ node }) => {
        const { data } = environment.lookup(getSelector(page.row, node as never) as never);
        return (data as unknown as { name: string }).name;
      });
    expect(listed().customers.totalCount).toBe(3);
    expect(shown()).toEqual(['Ada', 'Ada']);

    const source = environment.getStore().getSource();
    const order = { orderBy: 'created_at_asc' };
    const connection = ConnectionHandler.getConnectionID(
      'client:root',
      'relayPage_customers',
      order,
    );
    const position = source.get(connection)?.pageInfo as { __ref: string } | undefined;
    const after = source.get(position?.__ref ?? '')?.endCursor as string;
    await fetchQuery(environment, page.more, { first: 2, after }).toPromise();
    expect(shown()).toHaveLength(3);

    const rename = (name: string) =>
      new Promise((resolve, reject) =>
        commitMutation(environment, {
          mutation: page.rename,
          variables: { externalId, name },
          cacheConfig: { metadata: { idempotencyKey: `relay-${transport}` } },
          optimisticResponse: { updateCustomer: { customer: { id, name, createdAt: 0 } } } as never,
          onCompleted: resolve,
          onError: reject,
        }),
      );
    const renaming = rename('Grace');
    expect(shown()[0]).toBe('Grace');
    await renaming;
    await rename('Grace');
    expect(replays).toEqual([false, false, false, true]);

    const following = requestSubscription(environment, {
      subscription: page.changed,
      variables: { id },
      onError: (error) => {
        throw error;
      },
    });
    const other = environmentOf(trusting, tenant.key, transport);
    let count = 0;
    await expect
      .poll(async () => {
        const variables = { externalId, name: `Live ${++count}` };
        await new Promise((resolve, onError) =>
          commitMutation(other.environment, {
            mutation: page.rename,
            variables,
            onCompleted: resolve,
            onError,
          }),
        );
        return shown()[0];
      })
      .toContain('Live');
    following.dispose();
    release.dispose();
    await other.dispose();
    await dispose();
  },
);
