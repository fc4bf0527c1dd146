// @module-tag long
import { describe, expect } from 'vitest';
import { followUpInvoices } from '#domain/invoicing/commands/invoices/follow-up-invoices.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { executeDueRuns } from '#domain/money/collection/execute-due-runs.ts';
import { checkDuePayments } from '#domain/money/commands/payments/check-payments.ts';
import { transitionDueSubscriptions } from '#domain/subscriptions/commands/subscriptions/due-subscriptions.ts';
import { statementsOf } from '../../support/tables/statements.ts';
import { testAlone } from '../../support/test.ts';

const test = testAlone('it runs jobs, which work for all organizations');

const onFailure: OnFailure = (_row, error) => {
  throw error;
};

/** The sweeps whose rows can all be due at one instant, such as the first of a month, and the column of that instant. */
const sweeps = [
  [transitionDueSubscriptions, 'transition_due_at'],
  [executeDueRuns, 'due_at'],
  [checkDuePayments, 'check_due_at'],
  [followUpInvoices, 'follow_up_due_at'],
] as const;

describe('A page of due rows', () => {
  test.for(sweeps.map(([sweep, column]) => ({ sweep, column })))(
    'is read in the order of the index of $column: what else is due costs nothing',
    async ({ sweep, column }, { database: { orm } }) => {
      const em = orm.em.fork();
      const sent = await statementsOf(() => sweep(em, new Date(), 'test', onFailure));
      const [page = ''] = sent.filter((text) => text.includes(`${column} <=`));
      const plan = await em.transactional(async (inner) => {
        await inner.execute('set local enable_seqscan = off');
        return inner
          .getConnection()
          .execute(
            `explain (generic_plan, costs off) ${page}`,
            [],
            'all',
            inner.getTransactionContext(),
          );
      });
      const text = JSON.stringify(plan);
      expect(text).toMatch(/Index (Only )?Scan using \w+_(due|follow_up) /);
      expect(text).not.toMatch(new RegExp(`Sort Key: [^"]*${column}`));
    },
  );
});
