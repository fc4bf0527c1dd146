import { describe, expect } from 'vitest';
import { circlesOf, definesEntity, importsOfDomain, reachableFrom } from '../support/imports.ts';
import { test } from '../support/test.ts';

/** The rules in their order: each imports only those before it, entities and the kernel. */
const rules = [
  'reads',
  'history',
  'locks',
  'idempotency',
  'feed',
  'access',
  'mailing',
  'catalog',
  'periods',
  'entitlement',
  'ledger',
  'capacity',
  'taxing',
  'invoicing',
  'einvoicing',
  'adjusting',
  'lifecycle',
  'recording',
  'inbox',
  'present',
  'claiming',
  'processing',
  'collection',
];

const imports = importsOfDomain();
const files = [...imports.keys()].filter((file) => file !== 'entities.ts');
const isSegment = (file: string) => !/^(kernel|rules)\//.test(file);
/** The entities, and the values that they consist of. */
const entities = reachableFrom(
  imports,
  files.filter((file) => isSegment(file) && definesEntity(file)),
  (file) => !file.startsWith('kernel/'),
);

/** The kernel is 0, entities are 1, rules follow in their order, and commands stand above all. */
function floorOf(file: string): number {
  if (file.startsWith('kernel/')) return 0;
  if (entities.has(file)) return 1;
  const [, rule = ''] = /^rules\/(\w+)\//.exec(file) ?? [];
  return rule ? 2 + rules.indexOf(rule) : 2 + rules.length;
}

const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'));

describe('the domain', () => {
  test('has its rules in folders of one order', () => {
    const folders = files.flatMap((file) => /^rules\/([^/]+)\//.exec(file)?.[1] ?? []);
    expect(new Set(folders)).toEqual(new Set(rules));
  });

  test('keeps the values of entities with them', () => {
    expect([...entities].filter((file) => !isSegment(file))).toEqual([]);
  });

  test('imports nothing that is above', () => {
    const upwards = files.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => floorOf(target) > floorOf(file))
        .map((target) => `${file} → ${target}`),
    );
    expect(upwards).toEqual([]);
  });

  test('has commands that import no command of another resource', () => {
    const top = files.filter((file) => isSegment(file) && !entities.has(file));
    const sideways = top.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => top.includes(target) && folderOf(target) !== folderOf(file))
        .map((target) => `${file} → ${target}`),
    );
    expect(sideways).toEqual([]);
  });

  test('has no circle but between entities and where a plan that ends opens the free one', () => {
    const others = files.filter((file) => !definesEntity(file));
    expect(circlesOf(imports, others)).toEqual([
      ['end-subscription', 'free-plan', 'open-subscription'].map(
        (name) => `rules/lifecycle/${name}.ts`,
      ),
    ]);
  });
});
