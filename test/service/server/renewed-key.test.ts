import { expect, onTestFinished, vi } from 'vitest';
import { statementsOf } from '../../support/tables/statements.ts';
import { test } from '../../support/test.ts';

test('requests that come at once after a key was known for 5 seconds look it up together', async ({
  api,
}) => {
  expect((await api('GET', '/products')).status).toBe(200);
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 6_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const sent = await statementsOf(async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => api('GET', '/products')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
  expect(sent.filter((text) => text.includes('"hash_text"'))).toHaveLength(1);
});
