import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { aChargeRequest } from '../../../support/processor.ts';
import { test } from '../../../support/test.ts';

const minute = 60_000;

/** A charge by a token of the sandbox. */
async function aCharge(session: Session, token: string) {
  const idempotencyKey = crypto.randomUUID();
  const paymentMethodId = `pm_${idempotencyKey}`;
  const request = aChargeRequest(session, { idempotencyKey, paymentMethodId, token });
  const { status } = await (await processorOf(session)).charge(session, request);
  return { name: request, status };
}

const later = (session: Session, minutes: number): Session => ({
  ...session,
  now: new Date(session.now.getTime() + minutes * minute),
});

describe('PaymentProcessor.cancel', () => {
  test.for(['sandbox_slow', 'sandbox_requires_action'])(
    'a charge by %s that is under way never takes money, however late it is looked up',
    async (token, { session }) => {
      const { name } = await aCharge(session, token);
      const processor = await processorOf(session);
      for (const minutes of [59, 61]) {
        const outcome = await processor.cancel(later(session, minutes), name);
        expect(outcome).toMatchObject({ status: 'canceled' });
      }
      const last = await processor.lookup(later(session, 600), name);
      expect(last).toMatchObject({ status: 'canceled' });
    },
  );

  test('too late for what has succeeded, also where nothing has looked at it since', async ({
    session,
  }) => {
    const processor = await processorOf(session);
    const { name: fast } = await aCharge(session, 'sandbox_success');
    const { name: slow } = await aCharge(session, 'sandbox_slow');
    expect(await processor.cancel(session, fast)).toMatchObject({ status: 'succeeded' });
    const outcome = await processor.cancel(later(session, 60), slow);
    expect(outcome).toMatchObject({ status: 'succeeded' });
  });

  test('answers nothing for a charge that there has never been', async ({ session }) => {
    const processor = await processorOf(session);
    expect(await processor.cancel(session, aChargeRequest(session))).toBeUndefined();
  });
});
