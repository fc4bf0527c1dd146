import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import { DomainError, type ErrorCode } from '#domain/kernel/errors.ts';
import { Slices } from '#engines/lockstep/slices.ts';
import type { Limits } from '#limits';
import type { Context } from '#schema/engine/builder.ts';
import { inTurn } from './in-turn.ts';
import { sliceIntrospection } from './introspection.ts';

/** The number of fields resolved together, however long they take: they share one statement. */
const fieldsTogether = 2_000;
/** The number of fields between two looks at the clock. */
const fieldsBetweenLooks = 16;

/**
 * The budget of an execution: it may resolve fields until its time is over or the client of a query
 * disconnects.
 */
class Budget {
  #left: number;
  readonly #most: number;
  readonly #end: number;
  readonly #hasLeft: () => boolean;
  readonly #slices = new Slices();
  /** Fields that wait, in the order in which they asked. */
  #waiting: (() => void)[] = [];
  /** The reason to stop, once there is one. */
  end: DomainError | undefined;
  #looks = 0;
  #together = 0;

  constructor(most: number, seconds: number, hasLeft: () => boolean) {
    this.#left = most;
    this.#most = most;
    this.#end = performance.now() + seconds * 1_000;
    this.#hasLeft = hasLeft;
  }

  /**
   * Takes fields from the budget. Returns a promise to await before they are resolved. Errors: the reason to stop.
   */
  take(fields: number): Promise<void> | undefined {
    this.#left -= fields;
    if (this.#left < 0) {
      throw this.#ended(
        'BAD_REQUEST',
        `The operation resolves more than ${this.#most} fields: request fewer at once`,
      );
    }
    if (this.#waiting.length > 0) return this.#wait(1);
    this.#together += 1;
    if (++this.#looks % fieldsBetweenLooks !== 0) return undefined;
    this.#check();
    return this.#isOver() ? this.#wait(1) : undefined;
  }

  /** Returns a promise to await before a list that no statement reads. Errors: the reason to stop. */
  pause(): Promise<void> | undefined {
    if (this.#waiting.length > 0) return this.#wait(fieldsTogether);
    this.#together += fieldsTogether;
    this.#check();
    return this.#isOver() ? this.#wait(fieldsTogether) : undefined;
  }

  #wait(together: number): Promise<void> {
    return new Promise<void>((resume) => {
      this.#waiting.push(resume);
      if (this.#waiting.length === 1) void this.#resume();
    }).then(() => {
      this.#together += together;
      this.#check();
    });
  }

  /** Resumes what waits, one after another, so that the slice ends in time however much waits. */
  async #resume() {
    for (let next = 0; next < this.#waiting.length; ) {
      await this.#slices.turn();
      this.#together = 0;
      do {
        this.#waiting[next++]?.();
        // Lets the field be resolved before the next look at the clock.
        await null;
      } while (next < this.#waiting.length && !this.#isOver());
    }
    this.#waiting = [];
  }

  #isOver = () => this.#together >= fieldsTogether && this.#slices.isOver;

  #check() {
    if (this.#hasLeft()) {
      throw this.#ended('SERVICE_UNAVAILABLE', 'The client disconnected before the response');
    }
    if (performance.now() > this.#end) {
      throw this.#ended('SERVICE_UNAVAILABLE', 'The operation exceeded its time limit');
    }
  }

  #ended(code: Exclude<ErrorCode, 'CONFLICT'>, message: string): DomainError {
    this.end ??= new DomainError(code, message);
    return this.end;
  }
}

/** The budget is a property of the context that copies omit: a table of weak references costs more for each field. */
const budget = Symbol('budget');
type Limited = object & { [budget]?: Budget };

/** The reason why an operation was stopped before its end; undefined for one that was executed as a whole. */
export const endOf = (context: Limited): DomainError | undefined => context[budget]?.end;

/**
 * The graph for documents from outside: each field takes from the budget of its operation. Long executions yield to
 * others. Execution ends with its time, and a query with its caller.
 */
export function withBudget(
  schema: GraphQLSchema,
  { documents }: Pick<Limits, 'documents'>,
  seconds: number,
): GraphQLSchema {
  sliceIntrospection((context, info) => budgetOf(context as Context, info).pause());
  return mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field) => {
      const { resolve: usual = defaultFieldResolver } = field;
      const resolve = field.extensions?.takesLong ? inTurn(usual) : usual;
      return {
        ...field,
        // A thrown error would end a list while nothing waits for its earlier items: their rejections would be
        // unhandled, and end the process. The executor waits for each item of a list of promises.
        resolve: (source, args, context, info) => {
          try {
            const turn = budgetOf(context, info).take(1);
            return turn
              ? turn.then(() => resolve(source, args, context, info))
              : resolve(source, args, context, info);
          } catch (error) {
            return Promise.reject(error);
          }
        },
      };
    },
  });

  function budgetOf(context: Context & Limited, { operation }: GraphQLResolveInfo): Budget {
    const known = context[budget];
    if (known) return known;
    // Work that has begun with the whole request is not undone because its client has gone.
    const isMutation = operation.operation === OperationTypeNode.MUTATION;
    const hasLeft = () => !isMutation && (context.departure()?.aborted ?? false);
    const value = new Budget(documents[context.keyType].fields, seconds, hasLeft);
    Object.defineProperty(context, budget, { value });
    return value;
  }
}
