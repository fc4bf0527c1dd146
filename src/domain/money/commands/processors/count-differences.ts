import type { EntityManager } from '@mikro-orm/postgresql';
import { type DifferenceKind, differenceKinds } from '#domain/model/money/processor-difference.ts';

/** The number of open differences of one kind. */
export interface DifferenceCount {
  readonly kind: DifferenceKind;
  readonly livemode: boolean;
  readonly count: number;
}

/** Counts the open differences between processors and the books of every organization; kinds without one count 0. */
export async function countDifferences(em: EntityManager): Promise<DifferenceCount[]> {
  const found = await em.execute<DifferenceCount[]>(
    `select kind, livemode, count(*)::int as count from processor_difference where resolved_at is null
     group by kind, livemode`,
  );
  return differenceKinds.flatMap((kind) =>
    [true, false].map(
      (livemode) =>
        found.find((one) => one.kind === kind && one.livemode === livemode) ?? {
          kind,
          livemode,
          count: 0,
        },
    ),
  );
}
