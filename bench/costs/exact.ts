import type { LogReader } from './log.ts';
import type { Operation } from './operations.ts';
import type { Shop } from './shop.ts';
import type { Asked, CountingWire } from './wire.ts';

/** The costs of an operation that are the same on every machine. */
export interface ExactCosts extends Asked {
  /** Bytes of the log, without full pages. */
  readonly bytes: number;
}

/** Counts one act of an operation. `follow` does what follows it in the background; its statements are not counted. */
export async function exactCostsOf(
  { prepare }: Operation,
  shop: Shop,
  parts: { readonly wire: CountingWire; readonly log: LogReader; follow(): Promise<void> },
): Promise<ExactCosts> {
  const { wire, log, follow } = parts;
  const act = await prepare(shop);
  await follow();
  // A key that has been looked up is known for some seconds.
  await shop.call('GET', '/usage-meters?limit=1');
  wire.take();
  await log.take();
  await act();
  const asked = wire.take();
  await follow();
  const { bytes } = await log.take();
  return { ...asked, bytes };
}
