// @module-tag long
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { enterPricingModel, openSession } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { aLiveSession, aPricingModel } from '../../../support/factories.ts';
import type { Document } from '../../../support/records/catalogs.ts';
import { aKey, aTenant } from '../../../support/tenant.ts';
import { apiOf, test } from '../../../support/test.ts';

const monthly = { intervalUnit: 'month', intervalCount: 1 } as const;

/** A document with one of everything, which changes each test in its own way. */
const shop = (): Document => ({
  name: 'Default',
  resources: [{ slug: 'seats', name: 'Seats' }],
  usageMeters: [
    {
      usageMeter: { slug: 'calls', name: 'Calls', aggregationType: 'sum' },
      prices: [
        {
          type: 'usage',
          slug: 'calls-usual',
          isDefault: true,
          unitPrice: 2,
          usageEventsPerUnit: 10,
          ...monthly,
        },
      ],
    },
  ],
  features: [
    { type: 'toggle', slug: 'sso', name: 'SSO', description: 'Sign on' },
    {
      type: 'usage_credit_grant',
      slug: 'credits',
      name: 'Credits',
      description: '',
      amount: 100,
      renewalFrequency: 'every_billing_period',
      usageMeterSlug: 'calls',
    },
    {
      type: 'resource',
      slug: 'five',
      name: 'Five',
      description: '',
      amount: 5,
      resourceSlug: 'seats',
    },
  ],
  products: [
    {
      product: { slug: 'team', name: 'Team', active: true, description: null },
      price: { type: 'subscription', slug: 'team', isDefault: true, unitPrice: 1_000, ...monthly },
      features: ['sso', 'credits', 'five'],
    },
  ],
});

const messages = ({ body }: { body: Document }): string[] =>
  body.issues.map(({ message }: { message: string }) => message);
const dryRun = { headers: { prefer: 'dry-run' } };
const slugs = (changes: Document[]) =>
  changes.map(({ type, slug }) => `${type} ${slug}`).toSorted();

describe('POST /pricing-models/setup', () => {
  test('400 for a field that a document does not have, with its path, and for a text without quotes', async ({
    api,
  }) => {
    const [sold] = shop().products;
    const document = { ...shop(), slug: 1, products: [{ ...sold, otherPrice: 1 }] };
    const { status, body } = await api('POST', '/pricing-models/setup', document);
    expect({ status, body }).toMatchObject({ status: 400 });
    expect(messages({ body })).toEqual([
      expect.stringMatching(/^products\.0\.otherPrice: is not a field here, where there are /),
      expect.stringMatching(/^slug: is not a field here, where there are .*name, /),
    ]);
    const unquoted = { ...shop(), name: 1000 };
    expect(messages(await api('POST', '/pricing-models/setup', unquoted))).toEqual([
      'name: String cannot represent a non string value: 1000: put the text in quotes',
    ]);
  });

  test('200 with all contents: the pricing model of the name, which the key sees from then on', async ({
    api,
    session,
  }) => {
    const { status, body } = await api('POST', '/pricing-models/setup', shop());
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['pricingModel']);
    expect(body.pricingModel).toMatchObject({
      id: session.pricingModelId,
      isDefault: true,
      usageMeters: [
        {
          slug: 'calls',
          prices: [{ slug: 'calls_no_charge' }, { slug: 'calls-usual' }],
          defaultPrice: { slug: 'calls-usual' },
        },
      ],
      defaultProduct: { slug: 'free' },
    });
    const team = body.pricingModel.products.find(({ slug }: Document) => slug === 'team');
    expect(team).toMatchObject({
      defaultPrice: { unitPrice: 1_000, currency: 'USD' },
      features: [{ slug: 'sso' }, { slug: 'credits' }, { slug: 'five' }],
    });
    expect((await api('GET', '/pricing-models/default')).body).toEqual(body);
  });

  test('another name is a new pricing model with a free plan, and its answer has all contents, too', async ({
    api,
    session,
  }) => {
    const { body } = await api('POST', '/pricing-models/setup', { ...shop(), name: 'Spring' });
    const { id, products, usageMeters } = body.pricingModel;
    expect(body.pricingModel).toMatchObject({ name: 'Spring', isDefault: false, livemode: false });
    expect(id).not.toBe(session.pricingModelId);
    expect(products.map(({ slug }: Document) => slug).toSorted()).toEqual(['free', 'team']);
    expect(products[0]).toMatchObject({ prices: [{}], defaultPrice: {}, pricingModelId: id });
    expect(usageMeters).toMatchObject([{ prices: [{}, {}] }]);
    const key = await aKey(enterPricingModel(session, id), 'secret');
    expect((await api('GET', `/pricing-models/${id}`, undefined, { key })).body).toEqual(body);
  });

  test('a dry run has the plan and writes nothing; the plan of an applied document is empty', async ({
    api,
  }) => {
    const { body, headers } = await api('POST', '/pricing-models/setup', shop(), dryRun);
    expect(headers.get('preference-applied')).toBe('dry-run');
    expect(body.effects.catalog).toMatchObject({ changed: [], retired: [] });
    expect(slugs(body.effects.catalog.created)).toEqual([
      ...['feature credits', 'feature five', 'feature sso'],
      ...['price calls-usual', 'price team'],
      ...['product team', 'product_feature credits', 'product_feature five'],
      ...['product_feature sso', 'resource seats', 'usage_meter calls'],
    ]);
    expect((await api('GET', '/features')).body.total).toBe(0);

    await api('POST', '/pricing-models/setup', shop());
    const again = await api('POST', '/pricing-models/setup', shop(), dryRun);
    expect(again.body.effects).toMatchObject({
      catalog: { created: [], changed: [], retired: [] },
      events: [],
    });
  });

  test('a changed price is retired and replaced with its reason, and subscriptions keep theirs', async ({
    api,
    session,
  }) => {
    await api('POST', '/pricing-models/setup', shop());
    const customer = { name: 'Ada', email: 'ada@example.com', externalId: 'ada' };
    const ada = (await api('POST', '/customers', { customer })).body.data.customer;
    await api('POST', '/payment-methods', {
      paymentMethod: { customerId: ada.id, type: 'card', token: 'sandbox_success' },
    });
    const subscribed = await api('POST', '/subscriptions', {
      customerExternalId: 'ada',
      priceSlug: 'team',
    });
    expect(subscribed.status).toBe(200);
    const { id, priceId } = subscribed.body.subscription;

    const next = shop();
    next.products[0].price.unitPrice = 1_500;
    next.products[0].product.name = 'Teams';
    next.products[0].features = ['sso', 'five'];
    next.features = next.features.filter(({ slug }: Document) => slug !== 'credits');
    next.resources[0].active = false;
    const { body } = await api('POST', '/pricing-models/setup', next, dryRun);
    const { created, changed, retired } = body.effects.catalog;
    expect(created).toMatchObject([{ type: 'price', slug: 'team', reason: `replaces ${priceId}` }]);
    expect(changed).toMatchObject([
      { type: 'product', fields: [{ name: 'name', from: 'Team', to: 'Teams' }] },
    ]);
    expect(retired).toMatchObject([
      { type: 'resource', slug: 'seats', fields: [{ name: 'active', from: true, to: false }] },
      { type: 'feature', slug: 'credits', reason: 'is not in the document' },
      {
        type: 'price',
        objectId: priceId,
        owner: 'team',
        reason: expect.stringMatching(/unitPrice: 1000 → 1500; subscriptions keep it$/),
      },
      { type: 'product_feature', slug: 'credits', owner: 'team' },
    ]);

    await api('POST', '/pricing-models/setup', next);
    const em = session.em.fork();
    expect(await em.findOneOrFail(Subscription, id)).toMatchObject({ status: 'active', priceId });
    const [old] = await em.find(Price, { id: priceId });
    const [current] = await em.find(Price, { slug: 'team', active: true });
    expect(old).toMatchObject({ active: false, unitPrice: 1_000, successorId: current?.id });
    expect(current).toMatchObject({ unitPrice: 1_500, isDefault: true });
  });

  test('400 with the path of each wrong field, and nothing is written', async ({
    api,
    session,
  }) => {
    const wrongFields = shop();
    wrongFields.features[0].type = 'switch';
    wrongFields.products[0].price.intervalUnit = 'decade';
    wrongFields.usageMeters[0].usageMeter.slug = '';
    delete wrongFields.features[2].amount;
    const typed = await api('POST', '/pricing-models/setup', wrongFields);
    expect(typed.status).toBe(400);
    expect(messages(typed).map((text) => text.split(':')[0])).toEqual(
      expect.arrayContaining([
        'features.0.type',
        'products.0.price.intervalUnit',
        'usageMeters.0.usageMeter.slug',
        'features.2.amount',
      ]),
    );

    const document = shop();
    document.features.push({ ...document.features[0] });
    document.resources.push({ ...document.resources[0] });
    document.features[1].usageMeterSlug = 'none';
    document.features[2].resourceSlug = 'none';
    document.products[0].features.push('none');
    document.products.push({ ...document.products[0], product: { slug: 'two', name: 'Two' } });
    document.products.push({
      product: { slug: 'gratis', name: 'Gratis', default: true },
      price: { type: 'subscription', unitPrice: 5, trialPeriodDays: 3, active: false, ...monthly },
      features: [],
    });
    const answer = await api('POST', '/pricing-models/setup', document);
    expect(answer).toMatchObject({ status: 400, body: { message: 'Invalid input data' } });
    expect(
      messages(answer)
        .map((text) => text.split(':')[0])
        .toSorted(),
    ).toEqual([
      'features.1.usageMeterSlug',
      'features.2.resourceSlug',
      'features.3.slug',
      'products.0.features.3',
      'products.1.features.3',
      'products.1.price.slug',
      'products.2.price.active',
      'products.2.price.trialPeriodDays',
      'products.2.price.unitPrice',
      'resources.1.slug',
    ]);
    expect(await session.em.fork().count(PricingModel)).toBe(1);
    expect((await api('GET', '/features')).body.total).toBe(0);
  });

  test('400 for what the present catalog does not allow', async ({ api, session }) => {
    await api('POST', '/pricing-models/setup', shop());
    const next = shop();
    next.isDefault = false;
    next.features[0] = { ...next.features[2], slug: 'sso' };
    next.usageMeters = [];
    next.features = next.features.filter(({ slug }: Document) => slug !== 'credits');
    next.products[0].features = ['sso', 'five'];
    next.products[0].price.slug = 'free';
    const answer = await api('POST', '/pricing-models/setup', next);
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      expect.stringMatching(/^isDefault: cannot be unset/),
      expect.stringMatching(/^features\.0\.type: cannot change: Feature type cannot be changed/),
      'usageMeters: Usage meters cannot be removed. Attempted to remove: calls',
      expect.stringMatching(/^products\.0\.price\.slug: is the slug of the price of free/),
    ]);
    const twins = [await aPricingModel(session, { name: 'Twin' }), session];
    await aPricingModel(session, { name: 'Twin' });
    expect(twins).toHaveLength(2);
    const ambiguous = await api('POST', '/pricing-models/setup', { ...shop(), name: 'Twin' });
    expect(messages(ambiguous)).toEqual([expect.stringMatching(/^name: is the name of 2 pricing/)]);
  });

  test('takes YAML, and refuses what is none', async ({ api }) => {
    const headers = { 'content-type': 'application/yaml' };
    const text =
      'name: Default\nfeatures:\n- {type: toggle, slug: no, name: "No", description: ""}\nproducts: []\nusageMeters: []\n';
    expect(await api('POST', '/pricing-models/setup', text, { headers })).toMatchObject({
      status: 200,
    });
    expect((await api('GET', '/features')).body.data).toMatchObject([{ slug: 'no' }]);
    const refusals = [
      ['name: !money 5', /Unresolved tag: !money/],
      ['name: &a [*a]', /An alias is within the value/],
      ['? {a: 1}\n: 2', /keys must be strings/],
      [
        `a: &a ${'x'.repeat(200_000)}\nb: [${Array(60).fill('*a')}]`,
        /larger than 8388608 bytes in/,
      ],
      [`name: "${'x'.repeat(5_000_000)}"`, /^A body in YAML has at most 4194304 characters/],
    ] as const;
    for (const [wrong, message] of refusals) {
      const answer = await api('POST', '/pricing-models/setup', wrong, { headers });
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
      expect(answer.body.message).toMatch(message);
    }
    const merged =
      'name: Default\nfeatures:\n- &one {type: toggle, slug: "1e3", name: A, description: ""}\n- {<<: *one, slug: two}\nproducts: []\nusageMeters: []\n';
    await api('POST', '/pricing-models/setup', merged, { headers });
    expect((await api('GET', '/features?active=true')).body.data).toMatchObject([
      { slug: '1e3' },
      { slug: 'two', name: 'A' },
    ]);
    const broken = await api('POST', '/pricing-models/setup', 'name: [', { headers });
    expect(broken).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(broken.body.message).toMatch(/^The body is not YAML: .*line 1/s);
    const elsewhere = await api('POST', '/products', 'name: Default', { headers });
    expect(elsewhere.body.message).toMatch(/^Content-Type must be application\/json/);
  });
});

describe('GET /pricing-models/{id}/export', () => {
  test('200 with the document in JSON by default, and in YAML for callers that accept it', async ({
    api,
    gateway,
    session,
    tenant,
  }) => {
    await api('POST', '/pricing-models/setup', shop());
    const path = `/pricing-models/${session.pricingModelId}/export`;
    const { status, body } = await api('GET', path);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['pricingModel', 'updatedAt']);
    expect(body.updatedAt).toEqual(expect.any(Number));
    expect(body.pricingModel).toMatchObject({
      name: 'Default',
      isDefault: true,
      features: [{ slug: 'credits' }, { slug: 'five' }, { slug: 'sso' }],
      products: [{ product: { slug: 'free', default: true } }, { product: { slug: 'team' } }],
      usageMeters: [{ prices: [{ slug: 'calls-usual', trialPeriodDays: null }] }],
      resources: [{ slug: 'seats', name: 'Seats', active: true }],
    });
    expect(body.pricingModel.features[2]).toEqual({
      type: 'toggle',
      slug: 'sso',
      name: 'SSO',
      description: 'Sign on',
      active: true,
    });
    expect(body.pricingModel.products[1].price).toEqual({
      type: 'subscription',
      slug: 'team',
      isDefault: true,
      active: true,
      unitPrice: 1_000,
      currency: 'USD',
      ...monthly,
      trialPeriodDays: null,
      usageEventsPerUnit: null,
      usageMeterId: null,
    });

    const asked = (accept: string) =>
      gateway.fetch(`http://test/api/v1${path}`, {
        headers: { authorization: `Bearer ${tenant.key}`, accept },
      });
    const yaml = await asked('application/yaml');
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    const text = await yaml.text();
    expect(text).not.toContain('null');
    const sent = await api('POST', '/pricing-models/setup', text, {
      headers: { 'content-type': 'application/yaml', prefer: 'dry-run' },
    });
    expect(sent.body.effects.catalog).toMatchObject({ created: [], changed: [], retired: [] });
    expect(parse(text).products).toHaveLength(2);
    for (const accept of [
      'application/json',
      '*/*',
      'application/json, text/yaml;q=0.5',
      'text/yaml;q=0',
    ]) {
      expect((await asked(accept)).headers.get('content-type')).toBe('application/json');
    }
  });

  test('a document of more than a megabyte is taken as YAML, as JSON, and by PUT', async ({
    api,
    gateway,
    session,
    tenant,
  }) => {
    const document = shop();
    for (let n = 0; n < 120; n++) {
      const description = `${n} ${'x'.repeat(9_990)}`;
      document.features.push({ type: 'toggle', slug: `long-${n}`, name: 'Long', description });
    }
    expect(await api('POST', '/pricing-models/setup', document)).toMatchObject({ status: 200 });
    const path = `/pricing-models/${session.pricingModelId}`;
    const { body } = await api('GET', `${path}/export`);
    const yaml = await gateway.fetch(`http://test/api/v1${path}/export`, {
      headers: { authorization: `Bearer ${tenant.key}`, accept: 'application/yaml' },
    });
    const text = await yaml.text();
    expect(text.length).toBeGreaterThan(1024 * 1024);
    const none = { created: [], changed: [], retired: [] };
    const headers = { ...dryRun.headers, 'content-type': 'application/yaml' };
    const fromYaml = await api('POST', '/pricing-models/setup', text, { headers });
    expect(fromYaml.body.effects.catalog).toMatchObject(none);
    const put = await api('PUT', path, { pricingModel: body.pricingModel }, dryRun);
    expect(put.body.effects.catalog).toMatchObject(none);
  });

  test('404 for an unknown id, another organization’s and the other mode’s', async ({
    api,
    database,
    session,
  }) => {
    const other = await aTenant(database.orm.em);
    const live = await aLiveSession(session);
    for (const id of ['none', other.session.pricingModelId, live.pricingModelId]) {
      const answer = await api('GET', `/pricing-models/${id}/export`);
      expect(answer).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', message: `PricingModel ${id} not found` },
      });
    }
  });
});

describe('POST /pricing-models/{id}/clone', () => {
  test('200 with a copy of the whole catalog, which is not the default', async ({
    api,
    session,
  }) => {
    await api('POST', '/pricing-models/setup', shop());
    const original = `/pricing-models/${session.pricingModelId}`;
    const { status, body } = await api('POST', `${original}/clone`, { name: 'Copy' });
    expect(status).toBe(200);
    const { id, products } = body.pricingModel;
    expect(body.pricingModel).toMatchObject({ name: 'Copy', isDefault: false, livemode: false });
    expect(products).toHaveLength(2);
    const [copy, source] = [
      await api('GET', `/pricing-models/${id}/export`),
      await api('GET', `${original}/export`),
    ];
    expect(copy.body.pricingModel).toEqual({
      ...source.body.pricingModel,
      name: 'Copy',
      isDefault: false,
    });
  });

  test('one copy may be live; 400 for a second live one, also when several ask at once', async ({
    api,
    session,
  }) => {
    await api('POST', '/pricing-models/setup', shop());
    const path = `/pricing-models/${session.pricingModelId}/clone`;
    const clone = { name: 'Live', destinationEnvironment: 'livemode' };
    const answers = await Promise.all([1, 2, 3].map(() => api('POST', path, clone)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    const done = answers.find(({ status }) => status === 200);
    expect(done?.body.pricingModel).toMatchObject({ livemode: true, isDefault: false });
    expect(done?.body.pricingModel.products).toMatchObject([
      { livemode: true },
      { livemode: true },
    ]);
    const refused = answers.find(({ status }) => status === 400);
    expect(messages(refused as Document)).toEqual([
      expect.stringMatching(/^destinationEnvironment: Cannot clone to livemode: Your organization/),
    ]);
    const { em, apiKeyId, ...scope } = session;
    const live = openSession(em, { ...scope, livemode: true }, apiKeyId);
    expect(await live.em.fork().count(PricingModel)).toBe(1);
  });

  test('400 for a wrong name or environment, 404 for an unknown id', async ({ api, session }) => {
    const path = `/pricing-models/${session.pricingModelId}/clone`;
    const wrong = await api('POST', path, { name: '', destinationEnvironment: 'moon' });
    expect(messages(wrong)).toEqual([
      'destinationEnvironment: must be one of livemode, testmode',
      expect.stringMatching(/^name: /),
    ]);
    expect(await api('POST', '/pricing-models/none/clone', { name: 'Copy' })).toMatchObject({
      status: 404,
      body: { message: 'PricingModel none not found' },
    });
  });
});

describe('PUT /pricing-models/{id} with the structure', () => {
  test('200 with the record: the catalog is replaced as a whole, also that of another pricing model', async ({
    api,
    session,
  }) => {
    const other = await aPricingModel(session, { name: 'Other' });
    const path = `/pricing-models/${other.pricingModelId}`;
    const { name: _, ...structure } = shop();
    const planned = await api('PUT', path, { pricingModel: structure }, dryRun);
    expect(planned.body.effects.catalog.created).toHaveLength(11);
    const { status, body } = await api('PUT', path, {
      pricingModel: { id: other.pricingModelId, name: 'Renamed', ...structure },
    });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['pricingModel']);
    expect(body.pricingModel).toMatchObject({ id: other.pricingModelId, name: 'Renamed' });
    const exported = (await api('GET', `${path}/export`)).body.pricingModel;
    expect(exported).toMatchObject({ name: 'Renamed', features: [{}, {}, {}] });
    const own = await api('GET', `/pricing-models/${session.pricingModelId}/export`);
    expect(own.body.pricingModel.features).toEqual([]);
    const emptied = { ...structure, products: [], features: [], resources: [] };
    await api('PUT', path, { pricingModel: emptied });
    expect((await api('GET', `${path}/export`)).body.pricingModel).toMatchObject({
      features: [],
      products: [{ product: { slug: 'free' } }],
      usageMeters: [{ usageMeter: { slug: 'calls' } }],
      resources: [],
    });
  });

  test('400 for a field that the structure does not have on any level, with its path, and nothing is written', async ({
    api,
    session,
  }) => {
    const { name: _, ...structure } = shop();
    const [team] = structure.products;
    team.otherPrice = 1;
    team.product.colour = 'red';
    team.price.unitprice = 2;
    structure.usageMeters[0].usageMeter.unit = 'call';
    structure.usageMeters[0].prices[0].tier = [];
    structure.features[0].amounts = 1;
    structure.resources[0].capacity = 5;
    const path = `/pricing-models/${session.pricingModelId}`;
    const answer = await api('PUT', path, { pricingModel: { ...structure, name: 'New' } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(
      messages(answer)
        .map((text) => text.split(', where there are ')[0])
        .toSorted(),
    ).toEqual([
      'pricingModel.features.0.amounts: is not a field here',
      'pricingModel.products.0.otherPrice: is not a field here',
      'pricingModel.products.0.price.unitprice: is not a field here',
      'pricingModel.products.0.product.colour: is not a field here',
      'pricingModel.resources.0.capacity: is not a field here',
      'pricingModel.usageMeters.0.prices.0.tier: is not a field here',
      'pricingModel.usageMeters.0.usageMeter.unit: is not a field here',
    ]);
    expect((await api('GET', `${path}/export`)).body.pricingModel).toMatchObject({
      name: 'Default',
      features: [],
    });
  });

  test('400 for a part of the structure, which names what is missing; 404 for an unknown id', async ({
    api,
    session,
  }) => {
    const part = { pricingModel: { name: 'New', products: [], usageMeters: [] } };
    const answer = await api('PUT', `/pricing-models/${session.pricingModelId}`, part);
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      expect.stringMatching(/^pricingModel\.features: is required/),
      expect.stringMatching(/^pricingModel\.resources: is required/),
    ]);
    const { name: _, ...structure } = shop();
    structure.products[0].features.push('none');
    const wrong = { pricingModel: structure };
    expect(messages(await api('PUT', `/pricing-models/${session.pricingModelId}`, wrong))).toEqual([
      expect.stringMatching(/^pricingModel\.products\.0\.features\.3: Unknown feature none/),
    ]);
    const { name: __, ...right } = shop();
    expect(await api('PUT', '/pricing-models/none', { pricingModel: right })).toMatchObject({
      status: 404,
    });
  });
});

describe('the state of a plan as If-Match', () => {
  const expecting = (state: string) => ({ headers: { 'if-match': `"${state}"` } });
  const stale = {
    status: 400,
    body: {
      message: 'Invalid input data',
      issues: [
        { message: expect.stringMatching(/^If-Match: is [0-9a-f]{32}, but the catalog has/) },
      ],
    },
  };

  test('applies the plan once; after any change of the catalog it is a 400, and nothing is written', async ({
    api,
    session,
  }) => {
    const planned = async (method = 'POST', path = '/pricing-models/setup', body = shop()) =>
      (await api(method, path, body, dryRun)).body.effects.catalog.state;
    const state = await planned();
    expect(state).toMatch(/^[0-9a-f]{32}$/);
    expect(await planned()).toBe(state);
    const set = (body: Document, of: string) =>
      api('POST', '/pricing-models/setup', body, expecting(of));
    // One of several that have the same plan is applied.
    const answers = await Promise.all([1, 2, 3].map(() => set(shop(), state)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect(await set(shop(), state)).toMatchObject(stale);

    const path = `/pricing-models/${session.pricingModelId}`;
    const { name: _, ...structure } = { ...shop(), features: [], products: [] };
    const put = (of: string) => api('PUT', path, { pricingModel: structure }, expecting(of));
    const before = await planned('PUT', path, { pricingModel: structure });
    await api('POST', '/resources', { resource: { name: 'Rooms', slug: 'rooms' } });
    expect(await put(before)).toMatchObject(stale);
    expect((await api('GET', '/products')).body.total).toBe(2);
    const { id } = (await api('GET', '/features')).body.data[0];
    const now = await planned('PUT', path, { pricingModel: structure });
    await api('PUT', `/features/${id}`, { feature: { id, name: 'Another' } });
    expect(await put(now)).toMatchObject(stale);
    expect(await put(await planned('PUT', path, { pricingModel: structure }))).toMatchObject({
      status: 200,
    });
  });

  test('of a name without a pricing model is refused when the name is taken', async ({ api }) => {
    const spring = { ...shop(), name: 'Spring' };
    const { body } = await api('POST', '/pricing-models/setup', spring, dryRun);
    const { state } = body.effects.catalog;
    const send = () => api('POST', '/pricing-models/setup', spring, expecting(state));
    expect(await send()).toMatchObject({ status: 200 });
    expect(await send()).toMatchObject(stale);
  });

  test('400 where no catalog is compared, for a version, and without the four lists', async ({
    api,
    session,
  }) => {
    const state = '0123456789abcdef0123456789abcdef';
    const path = `/pricing-models/${session.pricingModelId}`;
    const renamed = await api('PUT', path, { pricingModel: { name: 'New' } }, expecting(state));
    expect(messages(renamed)).toEqual([expect.stringMatching(/^If-Match: is for the four lists/)]);
    const { id } = (await api('POST', '/resources', { resource: { name: 'Rooms', slug: 'rooms' } }))
      .body.resource;
    const body = { resource: { name: 'Halls' } };
    expect(messages(await api('PUT', `/resources/${id}`, body, expecting(state)))).toEqual([
      expect.stringMatching(/^If-Match: .* compares no state of a catalog$/),
    ]);
    for (const text of ['1', 'x']) {
      const answer = await api('POST', '/pricing-models/setup', shop(), expecting(text));
      expect(messages(answer)).toEqual([
        expect.stringMatching(/^If-Match: .* takes the state of a plan$/),
      ]);
    }
  });
});

const endpoints = [
  ['POST', '/pricing-models/setup'],
  ['POST', '/pricing-models/x/clone'],
  ['GET', '/pricing-models/x/export'],
] as const;

test.for(endpoints)('401 for %s %s without a key', async ([method, path], { api }) => {
  expect(await api(method, path, undefined, { key: null })).toMatchObject({ status: 401 });
});

test.for(endpoints)(
  '403 for %s %s with a publishable key',
  async ([method, path], { session, gateway }) => {
    const api = apiOf(gateway, await aKey(session, 'publishable'));
    const body = method === 'GET' ? undefined : shop();
    expect(await api(method, path, body)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', issues: [] },
    });
  },
);
