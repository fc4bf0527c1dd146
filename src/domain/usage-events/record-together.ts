import type { DomainError } from '../errors.ts';
import { Gathering, type GatheringOptions } from '../gathering.ts';
import { openSession, type Session } from '../session.ts';
import { type Call, type Recorded, recordCalls } from './record-calls.ts';

interface Asked {
  readonly session: Session;
  readonly call: Call;
}

type Outcome = Recorded | DomainError;
type Gatherings = Map<string, Gathering<Asked, Outcome>>;

const sizeOf = ({ call }: Asked) => call.events.length;

/**
 * How calls are put together. Of single events one transaction of a pricing model is written at a time: the fewer
 * there are, the more each of them carries. Of bulk calls, while one holds ledgers the next is made ready.
 */
const kinds = {
  single: { lanes: 1, most: 500, patient: true, sizeOf },
  bulk: { lanes: 2, most: 4_000, sizeOf },
} satisfies Record<string, GatheringOptions<Asked>>;

/** What waits to be written, by the connection and the pricing model it goes to. */
const waiting = new WeakMap<object, Gatherings>();

/** Records a call with those that come at the same time: each is recorded, or refused, as if it were by itself. */
export function recordTogether(
  session: Session,
  call: Call,
  kind: keyof typeof kinds,
): Promise<Outcome> {
  const connection = session.em.getConnection();
  const gatherings: Gatherings = waiting.get(connection) ?? new Map();
  waiting.set(connection, gatherings);
  const key = `${kind} ${session.pricingModelId}`;
  const gathering = gatherings.get(key) ?? new Gathering(write, kinds[kind]);
  gatherings.set(key, gathering);
  return gathering.add({ session, call });
}

/** With nothing of the one caller but what all of them have in common, and the time of the last. */
function write(asked: readonly Asked[]) {
  const [{ session }] = asked as readonly [Asked];
  const { em, apiKeyId, organizationId, livemode, pricingModelId, keyType } = session;
  const now = new Date(Math.max(...asked.map(({ session }) => session.now.getTime())));
  const scope = { organizationId, livemode, pricingModelId, keyType, now };
  return recordCalls(
    openSession(em, scope, apiKeyId),
    asked.map(({ call }) => call),
  );
}
