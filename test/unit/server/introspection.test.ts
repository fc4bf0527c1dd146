import { execute, executeSync, parse } from 'graphql';
import { expect, test } from 'vitest';
import { usualLimits } from '#config';
import { schema } from '#schema/index.ts';
import { withBudget } from '#server/limits/budget.ts';

const document = parse('{ __schema { types { name fields { name type { name } } } } }');
const limited = withBudget(schema, usualLimits(), 60);

/** Describes the graph; `hasLeft` runs before each list. */
const describeGraph = (hasLeft: () => boolean) =>
  execute({
    schema: limited,
    document,
    contextValue: { keyType: 'secret', departure: () => ({ aborted: hasLeft() }) },
  });

function work(milliseconds: number) {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test('others have their turn while the fields of each type are listed', async () => {
  let together = 0;
  let most = 0;
  const { data, errors } = await describeGraph(() => {
    if (together === 0) setImmediate(() => (together = 0));
    most = Math.max(most, ++together);
    work(0.5);
    return false;
  });
  expect(errors).toBeUndefined();
  const atOnce = executeSync({ schema: limited, document });
  expect(JSON.stringify(data) === JSON.stringify(atOnce.data)).toBe(true);
  // A slice ends after 5 ms, and there are some hundred types.
  expect(most).toBeLessThan(20);
});

test('the description of the graph ends when its client has left', async () => {
  let looks = 0;
  const { errors } = await describeGraph(() => ++looks > 5);
  expect(errors?.[0]?.message).toBe('The client disconnected before the response');
});
