import { describe, expect } from 'vitest';
import { createResource } from '#domain/resources/create-resource.ts';
import { updateResource } from '#domain/resources/update-resource.ts';
import { at } from '../support/instants.ts';
import { test } from '../support/test.ts';

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
});
