export interface Grouping {
  readonly groupBy: string | null;
  /** The number of values with the most events that have a series of their own. */
  readonly most: number;
}

/**
 * The end of a statement whose `parts` are the usage of buckets and values: the values with the fewest events become
 * others. Its fifth parameter is the number of values that stay.
 */
export const foldedParts = (folded: string) => `sized as (
       select *, sum(events) over (partition by meter, value) as size from parts
     ), ranked as (
       select *, dense_rank() over (order by size desc, meter, value) > $5::int as is_others from sized
     ), kept as (
       select *, case when not is_others then value end as of_value from ranked
     ), folded as (${folded})
     select meter as "usageMeterId", of_value as value, is_others as "isOthers",
       (extract(epoch from start) * 1000)::bigint::text as start, sum(usage)::text as usage, sum(events)::int as events
     from folded group by 1, 2, 3, 4`;
