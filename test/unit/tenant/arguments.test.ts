import { expect, test } from 'vitest';
import { newCredential } from '#domain/platform/access/credential.ts';
import { routeOf } from '#domain/platform/access/key-route.ts';
import { parseTenantArguments } from '../../../src/tools/tenant/arguments.ts';

const to = ['--to', 'postgresql://two.example.com/tollgate'];

test('a move has its addresses, its cell and a freeze of 5 seconds', () => {
  const args = ['move', 'org_1', ...to, '--cell', 'two', '--host', 'Acme.Example.com'];
  expect(parseTenantArguments(args)).toEqual({
    command: 'move',
    organizationId: 'org_1',
    to: to[1],
    cell: 'two',
    from: undefined,
    check: false,
    freezeSeconds: 5,
    map: undefined,
    haproxy: undefined,
    hosts: ['acme.example.com'],
  });
});

test.for([
  [['fly'], 'There is no command fly'],
  [['move'], 'move needs the id of an organization'],
  [['move', 'org_1', '--cell', 'two'], '--to is missing: a postgresql:// address'],
  [['move', 'org_1', '--to', 'two', '--cell', 'two'], '--to must be a postgresql:// address'],
  [['move', 'org_1', ...to], '--cell must be the name of the cell'],
  [['move', 'org_1', ...to, '--cell', 'Two!'], '--cell must be the name of the cell'],
  [['move', 'org_1', ...to, '--cell', 'two', '--freeze-seconds', '0'], 'from 1 to 60, not 0'],
  [['move', 'org_1', ...to, '--cell', 'two', '--haproxy', 's'], '--haproxy needs --map'],
  [['route', 'org_1', '--cell', 'two', '--host', 'a/b'], '--host must be a name'],
  [['remove', 'org_1', ...to], 'remove has no option --to'],
  [['recount', 'org_1', 'org_2'], 'There is no argument org_2'],
  [['list', 'org_1'], 'There is no argument org_1'],
] as const)('%j is refused with the reason', ([args, reason]) => {
  expect(() => parseTenantArguments(args)).toThrow(reason);
});

test('all keys of an organization have one route, and no two organizations the same', () => {
  const route = routeOf('org_1');
  const keys = [
    newCredential('secret', true, 'org_1'),
    newCredential('publishable', false, 'org_1'),
  ];
  for (const key of keys) {
    expect(key).toMatch(/^[sp]k_(live|test)_[0-9A-Za-z]{40}$/);
    expect(key.slice(8, 18)).toBe(route);
  }
  const routes = Array.from({ length: 10_000 }, (_, place) => routeOf(`org_${place}`));
  expect(new Set(routes).size).toBe(routes.length);
});
