import type { Socket } from 'node:net';
import { SpanKind } from '@opentelemetry/api';
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import pg from 'pg';
import { inSpan, isTraced } from '#domain/kernel/in-span.ts';
import { cancelStatement, takeSignal } from './ending-with.ts';
import { isLost } from './lost-connection.ts';
import { countStatement } from './statement-count.ts';

/** A statement as a connection is given it: its text, which has a name if it is known, or several at once. */
type Given =
  | string
  | (pg.QueryConfig & { readonly commits?: boolean })
  | { readonly several: readonly pg.QueryConfig[] };

/** A statement as it is sent. */
interface Sent {
  readonly text: string;
  readonly name?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
  /** Whether the transaction is committed right after it. */
  readonly commits?: boolean | undefined;
}

function toSend(given: Given, values: readonly unknown[]): readonly Sent[] {
  if (typeof given === 'string') return [{ text: given, values }];
  if ('several' in given) return given.several;
  const { text, name, commits } = given;
  return [{ text, name, values, commits }];
}

/** Whether the server refuses a statement only because an earlier one of its transaction has failed. */
const isConsequence = (error: unknown) => (error as { code?: string }).code === '25P02';

const returnsToSavepoint = ({ text }: Sent) => /^\s*rollback to /i.test(text);

function settled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** A connection in use. */
export class Lease implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  #lost: Error | undefined;
  #released = false;
  /** The statement that begins a transaction. It leaves together with the first statement within. */
  #opening: string | undefined;
  /** Whether the transaction has ended with its last statement. */
  #isOver = false;
  /**
   * The first failure in the transaction, since its savepoint. The server refuses what follows without its reason, and
   * turns a commit into a rollback without an error.
   */
  #failure: unknown;
  #isInTransaction = false;
  #isCorked = false;
  /** Ends the transaction when it is aborted. */
  #signal: AbortSignal | undefined;
  /** The cancellation of its statement. The rollback waits for it, since it would be canceled instead. */
  #canceled: Promise<void> | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  get isLost() {
    return this.#lost !== undefined;
  }

  /** Begins a transaction, with its first statement. */
  open(statement: string) {
    this.#opening = statement;
    this.#isOver = false;
    this.#isInTransaction = true;
    this.#signal = takeSignal();
  }

  /** Ends a transaction, unless it has ended with its last statement or the server knows nothing of it yet. */
  async end(statement: 'commit' | 'rollback') {
    const isNeeded = !this.#isOver && this.#opening === undefined;
    this.#opening = undefined;
    this.#isOver = false;
    this.#signal = undefined;
    await this.#canceled;
    this.#canceled = undefined;
    if (isNeeded) await this.executeQuery(CompiledQuery.raw(statement));
    const failure = this.#failure;
    this.#failure = undefined;
    this.#isInTransaction = false;
    if (failure && statement === 'commit') throw failure;
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statements = toSend(sql, parameters);
    if (!isTraced()) return this.#execute<R>(statements);
    const text = statements.map(({ text }) => text).join(';\n');
    const [operation = ''] = text.trimStart().split(/\s/, 1);
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation.toUpperCase(),
      'db.query.text': text,
    };
    const facts = { kind: SpanKind.CLIENT, attributes };
    return inSpan(operation.toUpperCase(), facts, () => this.#execute<R>(statements));
  }

  /** Returns the rows of the statement, or of several those of each. */
  async #execute<R>(statements: readonly Sent[]): Promise<QueryResult<R>> {
    // A statement would wait behind the unanswered one.
    if (this.#lost) throw this.#lost;
    if (this.#isOver) throw new Error('A statement follows the one that commits its transaction');
    // After the failure of one of several parallel reads, the others may continue until they notice.
    if (this.#released) throw new Error('A statement follows the end of its transaction');
    const signal = this.#signal;
    signal?.throwIfAborted();
    const cancel = () => {
      // Of several parallel statements one runs. A second cancellation could meet the rollback, or another request.
      this.#canceled ??= cancelStatement(this.#client);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    const began = performance.now();
    try {
      const results = await this.#sendAll(statements);
      if (this.#failure && statements.some(returnsToSavepoint)) this.#failure = undefined;
      if (results.length > 1) return { rows: results.map(({ rows }) => rows) as R[] };
      const [{ command, rowCount, rows }] = results as [pg.QueryResult];
      const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command);
      return { ...(changes && { numAffectedRows: BigInt(rowCount ?? 0) }), rows: rows ?? [] };
    } catch (error) {
      if (isLost(error)) this.#lost ??= error as Error;
      if (this.#isInTransaction) this.#failure ??= error;
      throw isConsequence(error) ? (this.#failure ?? error) : error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      for (const { text } of statements) countStatement(text, began);
    }
  }

  /**
   * Sends statements, after that which begins the transaction if it has not left yet. The server executes them one
   * after the other.
   */
  async #sendAll(statements: readonly Sent[]): Promise<readonly pg.QueryResult[]> {
    const opening = this.#opening;
    const [first] = statements;
    const isLast = first?.commits ?? false;
    this.#cork();
    if (opening === undefined && statements.length === 1 && first && !isLast)
      return [await this.#send(first)];
    this.#opening = undefined;
    this.#isOver = isLast;
    const opened = opening === undefined ? undefined : this.#send({ text: opening });
    const sent = statements.map((statement) => this.#send(statement));
    const closed = isLast ? this.#send({ text: 'commit' }) : undefined;
    const [begun, ended, ...results] = await Promise.allSettled([opened, closed, ...sent]);
    // Without its transaction no statement may follow on this connection.
    if (begun?.status === 'rejected') this.#lost = begun.reason as Error;
    if (this.#lost) throw this.#lost;
    const values = results.map(settled) as pg.QueryResult[];
    if (ended) settled(ended);
    return values;
  }

  /** Statements of one turn leave in one write, since each write is a call of the system. */
  #cork() {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = (this.#client as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  /**
   * The driver copies a statement that is an object property by property; its own kind of statement is not copied. A
   * statement that is given a callback later keeps garbage: V8 allocates a function that is assigned to a property in
   * the old generation, with all that it refers to.
   */
  #send({ text, name, values }: Sent): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const query = new pg.Query(text, values as unknown[], (error, result) =>
        error ? reject(error) : resolve(result as unknown as pg.QueryResult),
      );
      this.#client.query(name === undefined ? query : Object.assign(query, { name }));
    });
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; nothing here streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams of rows are not used');
  }

  /** Returns the connection to the pool, or removes it when it is lost. Any further call changes nothing. */
  release(error?: unknown) {
    if (this.#released) return;
    this.#released = true;
    this.#client.release((error ?? this.#lost) as Error | undefined);
  }
}
