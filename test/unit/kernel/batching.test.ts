import { describe, expect, test } from 'vitest';
import { Batching, type BatchingOptions } from '#engines/batching/batching.ts';

interface Item {
  readonly name: string;
  readonly size?: number;
}

/** A gathering whose batches end when the test states so. */
function aGathering(options: Partial<BatchingOptions<Item>> = {}) {
  const batches: { names: string; end: (error?: Error) => void }[] = [];
  const gathering = new Batching<Item, string>(
    (items) =>
      new Promise((resolve, reject) => {
        const names = items.map(({ name }) => name).join(' ');
        const done = items.map(({ name }) => `${name} done`);
        batches.push({ names, end: (error) => (error ? reject(error) : resolve(done)) });
      }),
    { workers: 1, most: 3, ...options },
  );
  return {
    add: (name: string, size?: number) => gathering.add({ name, ...(size && { size }) }),
    names: () => batches.map(({ names }) => names),
    end: (place: number, error?: Error) => batches[place]?.end(error),
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('what comes at the same time', () => {
  test('is executed together, in its order, and each caller gets its own result', async () => {
    const { add, names, end } = aGathering();
    const results = Promise.all([add('a'), add('b'), add('c'), add('d')]);
    await turn();
    expect(names()).toEqual(['a b c']);
    end(0);
    await turn();
    expect(names()).toEqual(['a b c', 'd']);
    end(1);
    expect(await results).toEqual(['a done', 'b done', 'c done', 'd done']);
  });

  test('goes along with the next batch while one is under way, in as many workers as there are', async () => {
    const { add, names } = aGathering({ workers: 2 });
    void add('a');
    await turn();
    void add('b');
    await turn();
    void add('c');
    await turn();
    expect(names()).toEqual(['a', 'b']);
  });

  test('shares a crowd among the workers, and leaves few items to one of them', async () => {
    const { add, names, end } = aGathering({ workers: 2, crowd: 2, most: 10 });
    void add('a');
    await turn();
    void add('b');
    await turn();
    expect(names()).toEqual(['a']);
    for (const name of ['c', 'd', 'e']) void add(name);
    await turn();
    expect(names()).toEqual(['a', 'b c']);
    end(0);
    await turn();
    expect(names()).toEqual(['a', 'b c', 'd e']);
  });

  test('fails together, and what comes after it does not', async () => {
    const { add, names, end } = aGathering();
    const failed = Promise.allSettled([add('a'), add('b')]);
    await turn();
    end(0, new Error('on purpose'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = add('c');
    await turn();
    expect(names()).toEqual(['a b', 'c']);
    end(1);
    expect(await next).toBe('c done');
  });
});

test('items of one key and one kind go together, in their order', async () => {
  const { add, names, end } = aGathering({
    most: 9,
    keyOf: ({ name }) => name.charAt(0),
    kindOf: ({ name }) => name.charAt(1),
  });
  for (const name of ['ax1', 'by1', 'ax2', 'ay1', 'ax3', 'bx1']) void add(name);
  await turn();
  expect(names()).toEqual(['ax1 by1 ax2']);
  end(0);
  await turn();
  expect(names()).toEqual(['ax1 by1 ax2', 'ay1 bx1']);
  end(1);
  await turn();
  expect(names()).toEqual(['ax1 by1 ax2', 'ay1 bx1', 'ax3']);
});

test('items of one key are never under way at the same time, and keep their order; others pass by', async () => {
  const { add, names, end } = aGathering({
    workers: 2,
    keyOf: ({ name }) => name.charAt(0),
    kindOf: ({ name }) => name,
  });
  for (const name of ['a1', 'a2', 'b1', 'a3']) void add(name);
  await turn();
  expect(names()).toEqual(['a1 b1']);
  end(0);
  await turn();
  expect(names()).toEqual(['a1 b1', 'a2']);
  end(1);
  await turn();
  expect(names()).toEqual(['a1 b1', 'a2', 'a3']);
});

test('a batch is not larger than its size; what is larger goes by itself, and no other item overtakes it', async () => {
  const { add, names, end } = aGathering({ most: 10, sizeOf: ({ size = 1 }) => size });
  for (const [name, size] of [
    ['a', 4],
    ['b', 5],
    ['large', 30],
    ['c', 1],
  ] as const)
    void add(name, size);
  await turn();
  expect(names()).toEqual(['a b']);
  end(0);
  await turn();
  expect(names()).toEqual(['a b', 'large']);
  end(1);
  await turn();
  expect(names()).toEqual(['a b', 'large', 'c']);
});
