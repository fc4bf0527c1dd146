import { newId } from './ids.ts';

/** The actor: a credential or an operator by its id, a job by its name, or a part of the service, such as `cli`. */
export interface Actor {
  readonly type: 'api_key' | 'customer_token' | 'job' | 'operator' | 'system';
  readonly id: string;
}

/** The request as the client sent it; no variable and no body, since these may have personal data. */
export interface Operation {
  /** `mutation` for every operation that changes something. */
  readonly type: string;
  /** The name of the GraphQL operation; null where it has none, and for REST. */
  readonly name: string | null;
  /** The root fields. */
  readonly fields: readonly string[];
  /** The HTTP method and the route of a REST request, such as `/api/v1/customers/:id`. */
  readonly method: string | null;
  readonly route: string | null;
}

interface Origin {
  readonly organizationId: string;
  readonly pricingModelId: string;
  readonly livemode: boolean;
  readonly causeId?: string;
  /** The run of the job, and the row that it worked on. */
  readonly cronRunId?: string | undefined;
  readonly subjectId?: string | undefined;
}

/**
 * The cause of all changes of one unit of work: one request, or the work of a job on one row. The statement that
 * writes the first event of a transaction writes its row, too. So a unit of work without a change has no row. Units
 * share no cause, so that no transaction waits for the row of another unit.
 */
export class UnitCause {
  readonly #origin: Origin;
  readonly #actor: Actor;
  #id: string | undefined;
  /** The operation of the request; known when it starts. */
  operation: Operation | null = null;
  idempotencyKey: string | null = null;
  /** The address of the client, if the operator wants it. */
  address: string | null = null;

  /** Most units of work are reads, so it keeps its origin as it is. */
  constructor(origin: Origin, actor: Actor) {
    this.#origin = origin;
    this.#actor = actor;
  }

  get id(): string {
    this.#id ??= newId('cause');
    return this.#id;
  }

  /** The cause of work that was accepted earlier, from its row. */
  static stored(row: CauseRow): UnitCause {
    const { organizationId, pricingModelId, livemode, requestId, cronRunId, subjectId } = row;
    const tenant = { organizationId, pricingModelId, livemode };
    const origin = { ...tenant, ...(requestId !== null && { causeId: requestId }) };
    const actor = { type: row.actorType, id: row.actorId };
    const cause = new UnitCause(
      { ...origin, cronRunId: cronRunId ?? undefined, subjectId: subjectId ?? undefined },
      actor,
    );
    cause.#id = row.id;
    cause.operation = row.operation;
    cause.idempotencyKey = row.idempotencyKey;
    cause.address = row.address;
    return cause;
  }

  /** The columns of its row. */
  row() {
    const { type: actorType, id: actorId } = this.#actor;
    const { organizationId, pricingModelId, livemode, causeId } = this.#origin;
    const { cronRunId = null, subjectId = null } = this.#origin;
    // A job has its name as its cause.
    const requestId = actorType === 'job' ? null : (causeId ?? null);
    const tenant = { organizationId, pricingModelId, livemode };
    const origin = { actorType, actorId, requestId, cronRunId, subjectId };
    const { id, operation, idempotencyKey, address } = this;
    return { id, ...tenant, ...origin, operation, idempotencyKey, address };
  }

  /** An event refers to its cause by the id. */
  toJSON(): string {
    return this.id;
  }

  /** The ORM copies the parameters of its filters; a unit of work has one cause. */
  clone(): this {
    return this;
  }
}

/** The columns of the row of a cause. */
export type CauseRow = ReturnType<UnitCause['row']>;
