import { globSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { Event } from '#domain/events/event.ts';
import { claimResource } from '#domain/resource-claims/claim-resource.ts';
import { releaseResource } from '#domain/resource-claims/release-resource.ts';
import type { ResourceClaim } from '#domain/resource-claims/resource-claim.ts';
import { createResource } from '#domain/resources/create-resource.ts';
import { updateResource } from '#domain/resources/update-resource.ts';
import { fresh } from '../../support/factories.ts';
import { at } from '../../support/instants.ts';
import { aBusySubscription } from '../../support/seats.ts';
import { test } from '../../support/test.ts';

/** The files that write new rows. */
const newRows = new Set([
  'src/domain/organizations/found-organization.ts',
  'src/domain/rules/recording/record-calls.ts',
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
