import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Why a statement of a file reads or writes a row by its id without the tenant. */
const exceptions: Readonly<Record<string, string>> = {
  'src/cron/run-job.ts': 'a run of a job belongs to no organization',
  'src/domain/kernel/lists/slice.ts': 'the column of the tenant is a variable of the text',
  'src/domain/kernel/lists/where.ts': 'the organization is the tenant',
  'src/domain/mail/commands/mails/claim-mails.ts':
    'the claim names one row, and only its holder knows it',
  'src/domain/platform/commands/operators/limit-attempts.ts':
    'an attempt to sign in has no organization yet',
  'src/domain/catalog/commands/pricing-models/delete-pricing-model.ts':
    'the pricing model is the tenant',
  'src/domain/money/commands/processors/process-notices.ts':
    'the notice was claimed by the same job',
  'src/domain/recording/inbox/stream-cursor.ts': 'the pricing model is the tenant',
  'src/domain/platform/locks/lock-free-customers.ts':
    'a batch of a job has customers of several tenants',
  'src/server/auth/authenticate-operator.ts': 'the session was found by its secret',
  'src/tools/tenant/check-move.ts': 'the organization is the tenant',
  'src/tools/tenant/move-state.ts': 'the organization is the tenant',
  'src/tools/tenant/run-tenant.ts': 'the organization is the tenant',
};

const texts = /`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/g;
const isStatement = (text: string) => /\b(select|update|delete)\b/.test(text);
const namesOneRow = (text: string) => /(^|[^_\w])id = (\$\d|\?|any)/.test(text);
const namesItsTenant = (text: string) => /\b(pricing_model_id|organization_id)\b/.test(text);

test('every statement that names a row by its id names the tenant, too', () => {
  const found = new Set<string>();
  for (const file of globSync('src/{cron,domain,server,tools/tenant}/**/*.ts')) {
    for (const [text] of readFileSync(file, 'utf8').matchAll(texts)) {
      if (isStatement(text) && namesOneRow(text) && !namesItsTenant(text)) found.add(file);
    }
  }
  expect([...found].sort()).toEqual(Object.keys(exceptions).sort());
});
