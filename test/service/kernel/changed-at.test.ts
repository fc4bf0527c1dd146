import { globSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { claimResource } from '#domain/capacity/commands/resource-claims/claim-resource.ts';
import { releaseResource } from '#domain/capacity/commands/resource-claims/release-resource.ts';
import { createResource } from '#domain/catalog/commands/resources/create-resource.ts';
import { updateResource } from '#domain/catalog/commands/resources/update-resource.ts';
import type { ResourceClaim } from '#domain/model/capacity/resource-claim.ts';
import { Event } from '#domain/model/platform/event.ts';
import { fresh } from '../../support/factories.ts';
import { at } from '../../support/instants.ts';
import { aBusySubscription } from '../../support/seats.ts';
import { test } from '../../support/test.ts';

/** The files that write new rows. */
const newRows = new Set([
  'src/domain/platform/commands/organizations/found-organization.ts',
  'src/domain/recording/record-calls.ts',
]);

describe('the instant of the last change', () => {
  test('does not go back when a machine with a slower clock changes a record', async ({
    session,
  }) => {
    const resource = { slug: 'seats', name: 'Seats' };
    const { id, createdAt } = await createResource(session, { resource });
    const change = (milliseconds: number, name: string) =>
      updateResource(at(session, session.now, milliseconds), { id, resource: { name } });
    expect((await change(-40, 'Chairs')).updatedAt).toEqual(createdAt);
    const later = await change(40, 'Desks');
    expect(later.updatedAt.getTime()).toBe(createdAt.getTime() + 40);
  });

  test('does not go back where a statement changes several records', async ({ session }) => {
    const { subscriptionId, resourceSlug } = await aBusySubscription(session, 5);
    const asked = { subscriptionId, resourceSlug };
    const { claims } = await claimResource(at(session, session.now), { ...asked, quantity: 2 });
    const slow = at(session, session.now, -40);
    const { releasedClaims } = await releaseResource(slow, { ...asked, quantity: 2 });
    const instants = (of: readonly ResourceClaim[]) => of.map(({ updatedAt }) => updatedAt);
    expect(instants(releasedClaims)).toEqual(instants(claims));
    const released = { type: 'resource_claim.released' as const };
    const events = await fresh(session).em.find(Event, released);
    expect(events.map(({ occurredAt }) => occurredAt)).toEqual(instants(claims));
  });

  test('is written by each statement so that it does not go back', () => {
    const files = globSync('src/**/*.{ts,sql}', { exclude: (name) => name === 'migrations' });
    const wrong = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const statements = text.match(/\bupdated_at = (?!greatest\().{0,40}/g) ?? [];
      // An insert states the instant of a new row.
      const assigned = newRows.has(file) ? [] : (text.match(/\bupdatedAt: now\b.{0,40}/g) ?? []);
      return [...statements, ...assigned].map((found) => `${file}: ${found}`);
    });
    expect(wrong).toEqual([]);
  });
});
