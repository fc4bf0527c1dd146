import { Flowglad, PermissionDeniedError } from '@flowglad/node';
import { describe, expect } from 'vitest';
import { aKey } from '../../../../support/tenant.ts';
import { clientOf, errorOf, test } from '../sdk.ts';

describe('The client', () => {
  test('reads the headers of an answer beside its body', async ({ client }) => {
    const { data, response } = await client.products.list().withResponse();
    expect(data.total).toBe(1);
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{1,64}$/);
  });

  test('a key that may not is a typed error', async ({ session, url }) => {
    const publishable = clientOf(url, await aKey(session, 'publishable'));
    const error = await errorOf(publishable.customers.list());
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error).toMatchObject({ status: 403, error: { code: 'FORBIDDEN', issues: [] } });
  });

  test('calls operations that it has no method for', async ({ client }) => {
    const answer = await client.get<{ data: unknown[] }>('/api/v1/features');
    expect(answer).toEqual({ data: [], hasMore: false, total: 0 });
  });

  test('a service that does not answer is a typed error', async ({ tenant }) => {
    const error = await errorOf(clientOf('http://127.0.0.1:9', tenant.key).products.list());
    expect(error).toBeInstanceOf(Flowglad.APIConnectionError);
  });
});
