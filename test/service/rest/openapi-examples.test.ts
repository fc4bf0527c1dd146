// @module-tag long
import { expect } from 'vitest';
import type { Route } from '#rest/engine/route.ts';
import { routes } from '#rest/index.ts';
import { examples } from '#rest/openapi/examples.ts';
import { pathExample } from '#rest/openapi/path-examples.ts';
import { type Answer, test } from '../../support/test.ts';

const idOf = ({ operation }: Route) =>
  (operation.name?.value ?? '').replace(/^./, (letter) => letter.toLowerCase());
const writing = routes.filter(({ method }) => method === 'POST' || method === 'PUT');
const named = new Map(writing.map((route) => [idOf(route), route]));

/** Where operations without a body have their place among the others; some need another record first. */
const between: Readonly<Record<string, readonly string[]>> = {
  createPaymentMethod: ['setDefaultPaymentMethod'],
  adjustSubscription: ['cancelScheduledAdjustment'],
  createPriceMove: ['stopPriceMove'],
  confirmReservation: ['reserveResource', 'releaseReservation'],
  applyDiscount: ['removeDiscount'],
  pauseSubscription: ['resumeSubscription'],
  cancelSubscription: ['uncancelSubscription'],
  updateInvoice: ['finalizeInvoice'],
  refundPayment: [
    ...['createInvoice', 'finalizeInvoice', 'voidInvoice'],
    ...['createInvoice', 'finalizeInvoice', 'markInvoiceUncollectible'],
    ...['createInvoice', 'finalizeInvoice'],
  ],
  cancelExpectedPayment: ['expectPayment'],
  createPrepaidCredit: ['revokePrepaidCredit'],
  previewMail: ['resendMail'],
  rotateWebhookSecret: ['sendTestEvent', 'retryWebhookDelivery'],
  createCatalog: [
    'expireProductFeature',
    'detachPaymentMethod',
    'archiveCustomer',
    'createCustomer',
    'archiveCustomer',
    'eraseCustomer',
  ],
};

/** The list that has the records of an operation whose answer does not name them. */
const lists: Readonly<Record<string, string>> = {
  createSubscription: '/subscription-items',
  payInvoice: '/payments',
  previewMail: '/mails',
};

test('every POST and PUT has an example that can be sent as it is, in the order of the file', async ({
  api,
  graphql,
}) => {
  const last = new Map<string, string>();
  const fill = (text: string) =>
    text.replaceAll(/\b([a-z]+(?:_[a-z]+)*)_last\b/g, (whole, prefix) => last.get(prefix) ?? whole);
  const sent = new Set<string>();
  const send = async (name: string): Promise<Answer> => {
    const route = named.get(name);
    if (!route) throw new Error(`There is no operation ${name}`);
    const path = route.path.replaceAll(/:(\w+)/g, (_, part) => pathExample(route.path, part) ?? '');
    const body = examples[name];
    const answer = await api(
      route.method,
      fill(path),
      body && JSON.parse(fill(JSON.stringify(body))),
    );
    // Payments and items are found in lists: the answers of the invoice and the subscription do not name them.
    const list = lists[name];
    const further = list && (await api('GET', list)).body;
    const text = JSON.stringify([answer.body, further]);
    for (const [, prefix = '', id] of text.matchAll(/"id":"([a-z_]+)_([0-9A-Za-z]{21})"/g)) {
      last.set(prefix, `${prefix}_${id}`);
    }
    sent.add(name);
    expect([name, answer.status, answer.body.issues, answer.body.message]).toEqual([
      ...[name, 200, undefined, undefined],
    ]);
    return answer;
  };
  for (const name of Object.keys(examples).flatMap((name) => [name, ...(between[name] ?? [])])) {
    if (name === 'buyPrepaidCredit') await permitPurchases(graphql);
    if (name === 'createTopUp') await sellPackage(api, last.get('usage_meter') ?? '');
    await send(name);
  }
  expect([...named.keys()].filter((name) => !sent.has(name))).toEqual([]);
});

/** The offer to customers, within which the example buys. */
const permitPurchases = (graphql: (document: string) => Promise<unknown>) =>
  graphql(`mutation { updateOrganization(organization: {
    customersMayBuyCredit: true, prepaidOffers: [{ currency: "USD", amounts: [5000] }]
  }) { organization { id } } }`);

/** The package of usage credits that examples name. */
async function sellPackage(
  api: (method: string, path: string, body: object) => Promise<Answer>,
  usageMeterId: string,
) {
  const credits = { type: 'usage_credit_grant', usageMeterId, amount: 100 };
  const names = { name: '100 calls', slug: 'calls-100', description: 'Prepaid' };
  const feature = { ...credits, ...names, renewalFrequency: 'once' };
  const { body } = await api('POST', '/features', { feature });
  await api('POST', '/products', {
    product: { name: '100 calls', slug: 'package' },
    price: { type: 'single_payment', slug: 'package-once', unitPrice: 500 },
    featureIds: [(body as { feature: { id: string } }).feature.id],
  });
}

test('every operation with a body has an example, and no example is left over', () => {
  for (const name of Object.keys(examples)) expect(named.has(name)).toBe(true);
  for (const [name, { operation, path, preferences = {} }] of named) {
    const inPath = new Set(Array.from(path.matchAll(/:(\w+)/g), ([, part]) => part));
    const preferred = Object.values(preferences);
    const others = (operation.variableDefinitions ?? [])
      .map(({ variable }) => variable.name.value)
      .filter((variable) => !inPath.has(variable) && !preferred.includes(variable));
    expect([name, name in examples]).toEqual([name, others.length > 0]);
  }
});
