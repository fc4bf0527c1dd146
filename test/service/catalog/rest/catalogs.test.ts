import { describe, expect } from 'vitest';
import { aKey } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const release = expect.stringMatching(/^v\d+\.\d+\.\d+$/);
const id = expect.stringMatching(/^pricing_model_\w{21}$/);
const organizationId = expect.stringMatching(/^org_/);

describe('POST /catalogs', () => {
  test('200 in the legacy rendering: ISO 8601 times, commit fields, nothing else', async ({
    api,
  }) => {
    const { status, body, headers } = await api('POST', '/catalogs', {
      catalog: { name: 'Spring', isDefault: false },
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        catalog: {
          id,
          createdAt: iso,
          updatedAt: iso,
          createdByCommit: release,
          updatedByCommit: release,
          livemode: false,
          organizationId,
          isDefault: false,
          name: 'Spring',
        },
      },
    });
    expect(headers.has('preference-applied')).toBe(false);
  });

  test.for(['rendering=current', 'respond-async, rendering=current', 'rendering="current"; x=1'])(
    '200 in the current rendering with Prefer: %s',
    async (prefer, { api }) => {
      const options = { headers: { prefer } };
      const { status, body, headers } = await api(
        'POST',
        '/catalogs',
        { catalog: { name: 'Spring' } },
        options,
      );
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          catalog: {
            id,
            createdAt: expect.any(Number),
            updatedAt: expect.any(Number),
            livemode: false,
            organizationId,
            isDefault: false,
            name: 'Spring',
          },
        },
      });
      expect(headers.get('preference-applied')).toBe('rendering=current');
    },
  );

  test('another preference leaves the legacy rendering', async ({ api }) => {
    const options = { headers: { prefer: 'rendering=currently' } };
    const { body, headers } = await api(
      'POST',
      '/catalogs',
      { catalog: { name: 'Spring' } },
      options,
    );
    expect(body.catalog.createdAt).toEqual(iso);
    expect(headers.has('preference-applied')).toBe(false);
  });

  test('a catalog is a pricing model under an older name', async ({ api }) => {
    const { body } = await api('POST', '/catalogs', {
      catalog: { name: 'Spring', isDefault: true },
    });
    const { body: current } = await api('GET', '/pricing-models/default');
    expect(current.pricingModel).toMatchObject({
      id: body.catalog.id,
      name: 'Spring',
    });
    expect(new Date(body.catalog.createdAt).getTime()).toBe(current.pricingModel.createdAt);
  });

  test('400 with the documented body, in any rendering', async ({ api }) => {
    for (const headers of [{}, { prefer: 'rendering=current' }]) {
      const { status, body } = await api('POST', '/catalogs', { catalog: {} }, { headers });
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          code: 'BAD_REQUEST',
          message: 'Invalid input data',
          issues: [{ message: 'catalog.name: is required' }],
        },
      });
    }
  });

  test('400 names the field as the caller sent it', async ({ api }) => {
    const { body } = await api('POST', '/catalogs', { catalog: { name: ' ' } });
    expect(body.issues[0].message).toMatch(/^catalog\.name: /);
  });

  test('401 without a key', async ({ api }) => {
    const answer = await api('POST', '/catalogs', { catalog: { name: 'Spring' } }, { key: null });
    expect(answer).toMatchObject({ status: 401 });
  });

  test('403 with a publishable key', async ({ api, session }) => {
    const key = await aKey(session, 'publishable');
    const answer = await api('POST', '/catalogs', { catalog: { name: 'Spring' } }, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', issues: [] } });
  });
});
