import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { circlesOf, definesEntity, importsOfDomain } from '../support/repository/imports.ts';
import { test } from '../support/test.ts';

interface Order {
  /** The folders of the kernel, in their order. */
  readonly kernel: readonly string[];
  /** The areas of the entities, in their order. */
  readonly model: readonly string[];
  /** The folders of the rules, in their order. */
  readonly rules: readonly string[];
  /** The segments of each area. */
  readonly segments: Readonly<Record<string, readonly string[]>>;
}

const order: Order = JSON.parse(readFileSync('src/domain/areas.json', 'utf8'));

const imports = importsOfDomain();
const files = [...imports.keys()].filter((file) => file !== 'entities.ts');
const floors = [...order.kernel, ...order.model.map((area) => `model/${area}`), ...order.rules];
const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'));
const isCommand = (file: string) => floorOf(file) === floors.length;

/** The place of a file in the order: that of the deepest folder which has one; commands are above all. */
function floorOf(file: string): number {
  for (let folder = folderOf(file); folder; folder = folder.slice(0, folder.lastIndexOf('/'))) {
    const floor = floors.indexOf(folder);
    if (floor >= 0) return floor;
    if (/^\w+\/commands$/.test(folder) || !folder.includes('/')) break;
  }
  return floors.length;
}

describe('the domain', () => {
  test('has its entities in the model', () => {
    const others = files.filter((file) => definesEntity(file) && !/^(model|kernel)\//.test(file));
    expect(others).toEqual([]);
  });

  test('has its rules in folders of the order', () => {
    const elsewhere = files.filter(
      (file) =>
        floorOf(file) === floors.length && !/^\w+\/commands\/[\w-]+\/[\w-]+\.ts$/.test(file),
    );
    expect(elsewhere).toEqual([]);
  });

  test('has its commands in the area of their segment', () => {
    const segments = Object.entries(order.segments).flatMap(([area, names]) =>
      names.map((name) => `${area}/commands/${name}`),
    );
    const folders = new Set(files.filter(isCommand).map(folderOf));
    expect([...folders].filter((folder) => !segments.includes(folder))).toEqual([]);
  });

  test('imports nothing that is above', () => {
    const upwards = files.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => floorOf(target) > floorOf(file))
        .map((target) => `${file} → ${target}`),
    );
    expect(upwards).toEqual([]);
  });

  test('has commands that import no command of another segment', () => {
    const sideways = files
      .filter(isCommand)
      .flatMap((file) =>
        (imports.get(file) ?? [])
          .filter((target) => isCommand(target) && folderOf(target) !== folderOf(file))
          .map((target) => `${file} → ${target}`),
      );
    expect(sideways).toEqual([]);
  });

  test('has no circle but between entities and where a plan that ends opens the free one', () => {
    const others = files.filter((file) => !definesEntity(file));
    expect(circlesOf(imports, others)).toEqual([
      ['end-subscription', 'free-plan', 'open-subscription'].map(
        (name) => `subscriptions/lifecycle/${name}.ts`,
      ),
    ]);
  });
});
