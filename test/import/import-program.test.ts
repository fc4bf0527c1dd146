import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { preparedUrl } from '../support/database.ts';
import { dataFolder, runToEnd } from '../support/process.ts';

test('The program ends by itself after its report, and leaves no connection open', async () => {
  const folder = await dataFolder();
  const customer = { id: 'cus_fake1', name: 'Customer', email: 'customer@example.com' };
  await writeFile(join(folder, 'customers.json'), JSON.stringify([customer]));
  const settings = { DATABASE_URL: await preparedUrl(), DATA_DIR: folder };
  const ended = await runToEnd(['src/import.ts', folder, '--apply'], settings);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('customer: 1 created') });
});
