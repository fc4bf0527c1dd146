import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { Session } from '#domain/kernel/session.ts';
import { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { Slices } from '#engines/lockstep/slices.ts';

/** An argument of a database function: text, number, instant, or JSON as text. */
type Value = string | number | Date | null;

/** A claim as the database renders it, which is as the API does: instants are milliseconds. */
type RenderedClaim = Record<string, unknown> & { id: string };

/**
 * Calls one of the functions that claim and release (raw SQL, with the tenant among its arguments). Returns its row.
 * Outside a transaction the call is a transaction of one prepared statement, at a fifth of the cost of the ORM's
 * transactions. Within a transaction it is part of that.
 */
export async function callClaimFunction<Row>(
  session: Session,
  name: 'claim_resource' | 'release_resource' | 'end_resource_claims',
  values: readonly Value[],
): Promise<Row> {
  const { em } = session;
  const text = (marks: readonly string[]) => `select * from ${name}(${marks.join(', ')})`;
  if (em.isInTransaction()) {
    const [row] = await em.execute<[Row]>(text(values.map(() => '?')), [...values]);
    return row;
  }
  const connection = em.getConnection() as PostgreSqlConnection;
  const pool = await connection.getNativeClient();
  const { rows } = await pool.query<Row & object>({
    name,
    text: text(values.map((_, index) => `$${index + 1}`)),
    values: [...values],
  });
  return rows[0] as Row;
}

const instants = ['createdAt', 'updatedAt', 'claimedAt', 'releasedAt', 'expiredAt'] as const;

/** Claims as the graph shows them, from the result of a function; null for none. */
export async function claimsFrom(
  { em }: Session,
  rendered: readonly RenderedClaim[] | null,
): Promise<ResourceClaim[]> {
  const factory = em.getEntityFactory();
  const slices = new Slices();
  const claims: ResourceClaim[] = [];
  for (const claim of rendered ?? []) {
    const data = { ...claim };
    for (const name of instants) {
      if (data[name] != null) data[name] = new Date(data[name] as number);
    }
    // Only for output: the unit of work does not track them.
    const untracked = { merge: false, initialized: true };
    claims.push(factory.create(ResourceClaim, data, untracked));
    if (slices.isOver) await slices.turn();
  }
  return claims;
}

/** The result of the functions besides their outcome: the usage of the resource after the call. */
export interface UseAfter {
  readonly detail: string | null;
  readonly resource: string | null;
  readonly capacity: string;
  readonly claimed: string;
  readonly reserved: string;
  readonly claims: readonly RenderedClaim[] | null;
}
