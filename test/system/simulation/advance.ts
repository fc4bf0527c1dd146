import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Life } from './actor.ts';
import { done } from './client.ts';

const undecided = ['processing', 'requires_confirmation'];
const pauseMilliseconds = 100;
const patienceMilliseconds = 6_000;

/** The payments for which an advance waits, and its further steps. */
interface Waiting {
  /** Whether it also waits for the customer; then the steps are those of lookups of pages. */
  readonly forCustomer?: boolean;
  readonly stepMilliseconds?: number;
}

/**
 * Advances the clock, and further until the processor has decided about all payments. A charge without an answer is
 * looked up after a minute of the clock, then after its age.
 */
export async function advance(
  life: Life,
  frozenTime: number,
  { forCustomer = true, stepMilliseconds = 90_000 }: Waiting = {},
) {
  if (!life.clockId) return decided(life);
  await move(life, frozenTime);
  if (!life.cards) return;
  const waiting = forCustomer ? [...undecided, 'requires_action'] : undecided;
  while (await isUndecided(life, waiting)) {
    await sleep(pauseMilliseconds);
    await move(life, life.model.now.getTime() + stepMilliseconds);
  }
}

/** Waits at the present until jobs have begun the first period, and decided about all payments. */
export async function decided(life: Omit<Life, 'model'>) {
  let end = performance.now() + patienceMilliseconds;
  while (await isUndecided(life, [...undecided, 'requires_action'])) {
    await sleep(pauseMilliseconds);
    if (performance.now() < end) continue;
    // Jobs that run every minute, and look payments up after one, are due then.
    await life.clocks.reconcile();
    end = performance.now() + patienceMilliseconds;
  }
}

/** A long advance continues after its answer; the same one waits for it again. */
async function move({ ask, model, clockId }: Life, frozenTime: number) {
  for (let status = ''; status !== 'ready'; ) {
    const {
      advanceTestClock: { testClock: clock },
    } = done(
      await ask(
        `mutation($id: ID!, $frozenTime: Timestamp!) {
          advanceTestClock(id: $id, frozenTime: $frozenTime) { testClock { status frozenTime } } }`,
        { id: clockId, frozenTime },
      ),
    );
    status = clock.status;
    expect(status === 'ready' ? clock.frozenTime : frozenTime).toBe(frozenTime);
  }
  model.advance(new Date(frozenTime));
}

async function isUndecided(
  { ask, subscriptionId }: Pick<Life, 'ask' | 'subscriptionId'>,
  statuses: readonly string[],
) {
  const { subscription, payments } = done(
    await ask(
      `query($id: ID!) {
        subscription(id: $id) { status }
        payments(first: 100, where: { subscription: { in: [$id] } }) { nodes { status } } }`,
      { id: subscriptionId },
    ),
  );
  if (subscription.status === 'incomplete') return true;
  return payments.nodes.some(({ status }: { status: string }) => statuses.includes(status));
}
