import type { Session } from '#domain/kernel/session.ts';
import { Event } from '#domain/model/platform/event.ts';

type Data = Readonly<Record<string, unknown>>;

/** The changes that a command would make; records as the change feed shows them. */
interface Effects {
  readonly invoices: readonly Data[];
  readonly lineItems: readonly Data[];
  /** The payments that would have been made or attempted. */
  readonly charges: readonly Data[];
  /** The features that would have been granted, changed or ended. */
  readonly entitlements: readonly Data[];
  /** The changes of a catalog that a document would make: created, changed and retired. Absent without a document. */
  readonly catalog?: object;
  /** All events that would have been emitted, one for each object. */
  readonly events: readonly Pick<Event, 'type' | 'objectType' | 'objectId' | 'data'>[];
}

export interface DryRun<T> {
  readonly result: T;
  readonly effects: Effects;
}

/**
 * Executes a command as it really would run, in one transaction that is rolled back. Commands within it are steps of
 * that transaction, and the payment processor only plans. Returns the result and the changes that it would have made.
 */
export async function dryRun<T>(
  session: Session,
  work: (session: Session) => Promise<T>,
): Promise<DryRun<T>> {
  const rollback = new Error('A dry run has ended');
  let answer: DryRun<T> | undefined;
  let catalog: object | undefined;
  const onPlan = (plan: object) => {
    catalog = plan;
  };
  try {
    await session.em.transactional(async (em) => {
      const planned = { ...session, em, dryRun: true, onPlan };
      const result = await work(planned);
      answer = { result, effects: { ...(await effectsOf(planned)), ...(catalog && { catalog }) } };
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback || !answer) throw error;
  }
  return answer as DryRun<T>;
}

/** How many events one statement reads: more would keep the process from other requests. */
const pageSize = 500;

/** Reads the events that this transaction has written, which have no sequence yet. */
async function effectsOf({ em }: Session): Promise<Effects> {
  const found = await em.execute<{ id: string }[]>(
    'select id from event where transaction_id = pg_current_xact_id() and sequence is null order by position',
  );
  const events: Event[] = [];
  for (let at = 0; at < found.length; at += pageSize) {
    const ids = found.slice(at, at + pageSize).map(({ id }) => id);
    const options = { orderBy: { position: 'asc' }, disableIdentityMap: true } as const;
    events.push(...(await em.find(Event, { id: { $in: ids } }, options)));
  }
  const of = (kind: string) =>
    events.filter(({ objectType }) => objectType === kind).map(({ data }) => data);
  return {
    invoices: of('Invoice'),
    lineItems: of('InvoiceLineItem'),
    charges: of('Payment'),
    entitlements: of('SubscriptionItemFeature'),
    events: events.map(({ type, objectType, objectId, data }) => ({
      type,
      objectType,
      objectId,
      data,
    })),
  };
}
