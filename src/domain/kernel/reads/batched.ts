import DataLoader from 'dataloader';
import type { Session } from '#domain/kernel/session.ts';
import { Attached } from './attached.ts';

/** Bounds the parameters of a statement. */
const mostKeys = 10_000;

/** The open batch of a name, with the number of keys that were asked for so far. */
interface Batch {
  readonly loader: DataLoader<string, unknown>;
  asked: number;
}

const batches = new Attached<Session['em'], Map<unknown, Batch>>();

/**
 * Calls `find` once for all keys that one level of a document asks for under a name; the name represents `find` and all
 * that it depends on. Returns the value of one key.
 */
export function batched<T>(
  session: Session,
  name: unknown,
  key: string,
  find: (session: Session, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<T | undefined> {
  const { em } = session;
  const own = batches.get(em) ?? new Map<unknown, Batch>();
  batches.set(em, own);
  const batch = own.get(name) ?? newBatch(session, find);
  own.set(name, batch);
  batch.asked += 1;
  return batch.loader.load(key) as Promise<T | undefined>;
}

function newBatch<T>(
  session: Session,
  find: (session: Session, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Batch {
  const loader = new DataLoader<string, unknown>(
    async (keys) => {
      const found = await find(session, [...new Set(keys)]);
      return keys.map((key) => found.get(key));
    },
    {
      // Records change within a mutation, so nothing is remembered.
      cache: false,
      maxBatchSize: mostKeys,
      batchScheduleFn: (dispatch) => whenQuiet(batch, dispatch),
    },
  );
  const batch: Batch = { loader, asked: 0 };
  return batch;
}

/**
 * Dispatches a batch after a turn of the event loop without new keys: a large level is resolved in several turns, so
 * that other requests are served in between, and still needs one statement.
 */
function whenQuiet(batch: Batch, dispatch: () => void) {
  const before = batch.asked;
  setImmediate(() => {
    if (batch.asked === before) dispatch();
    else whenQuiet(batch, dispatch);
  });
}
