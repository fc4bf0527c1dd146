import type { Session } from '#domain/kernel/session.ts';

const standing = `s.pricing_model_id = ? and s.status not in ('canceled', 'incomplete_expired')`;

const current = `i.price_id = ? and not i.manually_created
  and (i.expired_at is null or i.expired_at > clock_timestamp())`;

const withItem = `select s.id from subscription s where ${standing} and s.id > ?
  and exists (select from subscription_item i where i.subscription_id = s.id and ${current})`;

const withPhase = `select s.id from subscription s where ${standing} and s.id > ? and s.id in (
  select p.subscription_id from subscription_phase p
  where p.pricing_model_id = ? and p.status = 'planned' and p.items @> ?::jsonb)`;

/** The planned items that name a price, as a part of `items` of a phase. */
const naming = (priceId: string) => JSON.stringify([{ priceId }]);

interface Page {
  readonly after: string | null;
  readonly limit: number;
}

/** The ids of subscriptions with a current item of a price, after the last one in the order of ids. */
export async function subscribersOf(
  { em, pricingModelId }: Session,
  priceId: string,
  { after, limit }: Page,
): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(`${withItem} order by s.id limit ?`, [
    pricingModelId,
    after ?? '',
    priceId,
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** The same, with the subscriptions that get the price by a planned phase. */
export async function subscribersToMove(
  { em, pricingModelId }: Session,
  priceId: string,
  { after, limit }: Page,
): Promise<string[]> {
  const [from, of] = [after ?? '', pricingModelId];
  const rows = await em.execute<{ id: string }[]>(
    `(${withItem} order by s.id limit ?) union (${withPhase} order by s.id limit ?) order by id limit ?`,
    [of, from, priceId, limit, of, from, of, naming(priceId), limit, limit],
  );
  return rows.map(({ id }) => id);
}

/** The subscribers of a price and their items of it; amounts are minor units of one period. */
export interface Subscribers {
  readonly subscriptions: number;
  readonly quantity: number;
  readonly total: number;
  /** The part of the quantity and of the amount with a negotiated price. */
  readonly negotiatedQuantity: number;
  readonly negotiatedTotal: number;
}

/** The planned phases with a price, and the subscriptions that have it in such a phase only. */
export interface PlannedSubscribers {
  readonly phases: number;
  readonly subscriptions: number;
}

/** Counts the planned phases that name a price. */
export async function countPhases(
  { em, pricingModelId }: Session,
  priceId: string,
): Promise<PlannedSubscribers> {
  const [found] = await em.execute<Record<keyof PlannedSubscribers, string>[]>(
    `select count(*) as phases, count(distinct s.id) filter (where not exists (
         select from subscription_item i where i.subscription_id = s.id and ${current})) as subscriptions
     from subscription_phase p join subscription s on s.id = p.subscription_id
     where ${standing} and p.status = 'planned' and p.items @> ?::jsonb`,
    [priceId, pricingModelId, naming(priceId)],
  );
  return { phases: Number(found?.phases), subscriptions: Number(found?.subscriptions) };
}

/** Counts the subscribers of a price. */
export async function countSubscribers(
  { em, pricingModelId }: Session,
  priceId: string,
): Promise<Subscribers> {
  const isNegotiated = 'filter (where i.unit_price <> p.unit_price)';
  const [found] = await em.execute<Record<keyof Subscribers, string>[]>(
    `select count(distinct s.id) as subscriptions, coalesce(sum(i.quantity), 0) as quantity,
       coalesce(sum(i.quantity * i.unit_price), 0) as total,
       coalesce(sum(i.quantity) ${isNegotiated}, 0) as "negotiatedQuantity",
       coalesce(sum(i.quantity * i.unit_price) ${isNegotiated}, 0) as "negotiatedTotal"
     from subscription s join subscription_item i on i.subscription_id = s.id join price p on p.id = i.price_id
     where ${standing} and ${current}`,
    [pricingModelId, priceId],
  );
  return {
    subscriptions: Number(found?.subscriptions),
    quantity: Number(found?.quantity),
    total: Number(found?.total),
    negotiatedQuantity: Number(found?.negotiatedQuantity),
    negotiatedTotal: Number(found?.negotiatedTotal),
  };
}
