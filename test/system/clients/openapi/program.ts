import type createClient from 'openapi-fetch';
import type { paths } from './paths.ts';

/** A program with generated types: it writes, filters, reads and is refused. */
export async function run(create: typeof createClient, baseUrl: string, key: string) {
  const client = create<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const { data: made } = await client.POST('/api/v1/customers', {
    body: { customer: { name: 'Ada', email: 'ada@example.com', externalId: 'ada' } },
  });
  const customerId: string | undefined = made?.data.customer.id;
  if (!customerId) throw new Error('No customer was created');
  const { data: page } = await client.GET('/api/v1/subscriptions', {
    params: { query: { customerId: [customerId], status: ['active', 'trialing'], limit: 5 } },
  });
  const plans: (string | null)[] = page?.data.map(({ name }) => name) ?? [];
  const { data: read } = await client.GET('/api/v1/customers/{externalId}', {
    params: { path: { externalId: 'ada' } },
  });
  const { error, response } = await client.GET('/api/v1/products/{id}', {
    params: { path: { id: 'prod_none' } },
  });
  const code: string | undefined = error?.code;
  // @ts-expect-error: the description has no such status.
  await client.GET('/api/v1/invoices', { params: { query: { status: ['lost'] } } });
  // @ts-expect-error: a customer needs an email address.
  const refused = await client.POST('/api/v1/customers', { body: { customer: { name: 'B' } } });
  return {
    ...{ plans, total: page?.total, email: read?.customer.email },
    ...{ code, status: response.status, issues: refused.error?.issues.length },
  };
}
