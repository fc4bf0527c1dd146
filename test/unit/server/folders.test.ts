import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importsBelow } from '../../support/repository/imports.ts';

/** The folders of the server, in the order in which they may import each other. */
const { order }: { readonly order: readonly string[] } = JSON.parse(
  readFileSync('src/server/folders.json', 'utf8'),
);
const imports = importsBelow('src/server', '#server/');
const folders = new Set([...imports.keys()].map((file) => path.dirname(file)));
folders.delete('.');

test('every folder of the server has its place in the order', () => {
  expect(order.toSorted()).toEqual([...folders].toSorted());
});

test('a folder of the server imports only folders before it', () => {
  const places = ['?', ...order, '.'];
  const placeOf = (file: string) => places.indexOf(path.dirname(file));
  const upwards = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => placeOf(target) > placeOf(file))
      .map((target) => `${file} → ${target}`),
  );
  expect(upwards).toEqual([]);
});
