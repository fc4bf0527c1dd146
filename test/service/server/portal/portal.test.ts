// @module-tag long
import { afterEach, describe, expect } from 'vitest';
import { finalizeInvoice } from '#domain/invoicing/commands/invoices/settle-by-hand.ts';
import {
  newSecretsKey,
  secretsKeyFrom,
  secretsKeys,
  useSecretsKeys,
} from '#domain/kernel/security/secrets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { updateAlert } from '#domain/metering/commands/alerts/update-alert.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { CustomerToken } from '#domain/model/platform/customer-token.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { allSandboxTokens } from '#domain/money/processing/sandbox/sandbox-tokens.ts';
import { portalLinkText } from '#domain/platform/access/portal-link.ts';
import { anAdjustable } from '../../../support/adjustments.ts';
import { anAlert } from '../../../support/alerts.ts';
import {
  aCustomer,
  aDraft,
  aPaymentMethod,
  aProduct,
  aSubscription,
  fresh,
} from '../../../support/factories.ts';
import { anInvoiceOf, aPrepaidCredit } from '../../../support/prepaid.ts';
import { aConsolidatingCustomer, documentsOf } from '../../../support/records/consolidated.ts';
import { formIn, linkOf, portalTest as test } from '../../../support/screen/portal.ts';
import { aTenant } from '../../../support/tenant.ts';
import { advance, at } from '../../../support/timeline.ts';
import { aMeteredSubscription, use } from '../../../support/usage.ts';

type Fields = Record<string, string>;

const usualKeys = secretsKeys();
afterEach(() => useSecretsKeys(usualKeys));

/** The price of a new plan that costs `unitPrice` a month. */
async function aPlan(session: Session, name: string, unitPrice: number) {
  const product = await aProduct(session, { name, price: { unitPrice } });
  const [price] = await product.prices.loadItems();
  if (!price) throw new Error('The product has no price');
  return price;
}

async function aBuyer(session: Session, externalId = 'ada') {
  const customer = await aCustomer(session, { externalId });
  const method = await aPaymentMethod(session, customer.id);
  return { customer, method };
}

/** A new secret key, which the tests may rotate and revoke. */
async function aNewKey(
  graphql: (
    ...call: [string, Record<string, unknown>]
  ) => Promise<{ data: { createApiKey: NewKey } }>,
  fields: object = {},
) {
  const { data } = await graphql(
    'mutation($apiKey: CreateApiKeyInput!) { createApiKey(apiKey: $apiKey) { token apiKey { id } } }',
    { apiKey: { name: 'Links', type: 'secret', ...fields } },
  );
  const { token, apiKey } = data.createApiKey;
  return { token, id: apiKey.id };
}

interface NewKey {
  readonly token: string;
  readonly apiKey: { readonly id: string };
}

describe('the portal', () => {
  test('opens with the link of the billing details, and shows what the customer has', async ({
    api,
    session,
    visitor,
  }) => {
    const { customer, method } = await aBuyer(session);
    const price = await aPlan(session, 'Team', 2_000);
    await aSubscription(fresh(session), { customerId: customer.id, priceId: price.id });
    const visit = visitor();
    const opened = await visit(await linkOf(api));
    expect(opened).toMatchObject({ status: 303, location: '/portal' });
    expect(opened.headers.get('set-cookie')).toMatch(
      /^tollgate_portal=ct_test_\S+; Path=\/portal; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    );
    const home = await visit('/portal');
    expect(home.status).toBe(200);
    for (const text of ['Billing', 'Test mode', '$20.00', 'Invoice (PDF)', 'Default']) {
      expect(home.text).toContain(text);
    }
    expect(home.text.match(/<script[^>]*>/g)).toEqual([
      '<script src="/portal/live.js" data-changes="/portal/changes" defer>',
    ]);
    expect(formIn(home.text, 'detach').id).toBe(method.id);
    expect(home.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-[^']+'; img-src data: 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'$/,
    );
    expect(home.headers.get('cache-control')).toBe('no-store');
    const pdf = /href="([^"]+)" aria-label="Invoice/.exec(home.text)?.[1]?.replaceAll('&#38;', '&');
    expect(await visit(pdf ?? '')).toMatchObject({ status: 200 });
  });

  test('shows alerts and limits, and the thresholds that are reached in the present period', async ({
    api,
    session,
    visitor,
  }) => {
    const user = await aMeteredSubscription(session);
    await anAlert(session, user, 'spend', 2_000, { percentages: [50, 80], hardLimit: true });
    const { subscriptionId, id } = await anAlert(session, user, 'usage', 10);
    expect(subscriptionId).toBe(user.id);
    await use(session, user, 7_500);
    const { externalId } = await fresh(session).em.findOneOrFail(Customer, user.customerId);
    const visit = visitor();
    await visit(await linkOf(api, externalId));
    const { text } = await visit('/portal');
    const [, part = ''] = /aria-labelledby="alerts">(.*?)<\/section>/s.exec(text) ?? [];
    for (const words of ['Limit of $20.00', 'Also at 50 %, 80 % of it', '50 % reached']) {
      expect(part).toContain(words);
    }
    expect(part).not.toContain('80 % reached');
    expect(part).toContain('Usage of API calls in a period');
    expect(part).toContain('100 % reached');
    await updateAlert(fresh(session), { id, alert: { active: false } });
    expect((await visit('/portal')).text).not.toContain('Usage of API calls in a period');
    // The next period begins anew.
    await advance(session, user.clockId, '2026-03-01');
    expect((await visit('/portal')).text).not.toContain('50 % reached');
  });

  test('shows the prepaid credit that is left, in the order of its use, in both languages', async ({
    api,
    session,
    visitor,
  }) => {
    const { customer } = await aBuyer(session);
    const visit = visitor();
    await visit(await linkOf(api));
    const prepaid = async () => {
      const { text } = await visit('/portal');
      const [, part = ''] = /aria-labelledby="prepaid">(.*?)<\/section>/s.exec(text) ?? [];
      return part;
    };
    expect(await prepaid()).toBe('');
    const source = 'purchase';
    await aPrepaidCredit(session, customer.id, { amount: 5_000, source });
    await aPrepaidCredit(session, customer.id, { amount: 1_000, expiresAt: at('2099-03-01') });
    await aPrepaidCredit(session, customer.id, { amount: 300, priority: 1 });
    await anInvoiceOf(session, customer.id, 700);
    const part = await prepaid();
    for (const words of [
      '$56.00 left',
      'Expires on March 1, 2099',
      'Does not expire',
      'Given to you',
    ]) {
      expect(part).toContain(words);
    }
    expect(part).not.toContain('of $3.00 left');
    const [gift, bought] = ['$6.00 of $10.00 left', '$50.00 of $50.00 left'];
    expect(part.indexOf(gift)).toBeGreaterThan(0);
    expect(part.indexOf(bought)).toBeGreaterThan(part.indexOf(gift));
    expect((await visit('/portal', undefined, { 'accept-language': 'de' })).text).toContain(
      'Prepaid-Guthaben',
    );
  });

  test('cancels once and keeps once, however often a form is sent', async ({
    api,
    session,
    visitor,
  }) => {
    const { customer } = await aBuyer(session);
    const price = await aPlan(session, 'Team', 2_000);
    const { id } = await aSubscription(fresh(session), {
      customerId: customer.id,
      priceId: price.id,
    });
    const visit = visitor();
    await visit(await linkOf(api));
    const form = formIn((await visit('/portal')).text, 'cancel');
    const answers = await Promise.all([
      visit('/portal/cancel', form),
      visit('/portal/cancel', form),
    ]);
    expect(answers.some(({ status }) => status === 303)).toBe(true);
    const ending = await visit('/portal?done=cancel');
    expect(ending.text).toContain('The subscription ends with its present period.');
    const keep = formIn(ending.text, 'uncancel');
    expect(await visit('/portal/uncancel', keep)).toMatchObject({ status: 303 });
    // The replayed form has the result of the first one, and cancels nothing.
    expect(await visit('/portal/cancel', form)).toMatchObject({ status: 303 });
    const stored = await fresh(session).em.findOneOrFail(Subscription, id);
    expect(stored).toMatchObject({ status: 'active', cancelScheduledAt: null });
    // The same form with another field is another attempt under its name.
    expect(await visit('/portal/cancel', { ...form, id: 'sub_x' })).toMatchObject({ status: 400 });
  });

  test('refuses a text that the database cannot store, in each field of each form and address', async ({
    api,
    session,
    visitor,
  }) => {
    await aBuyer(session);
    const visit = visitor();
    await visit(await linkOf(api));
    const [, token = ''] = /name="token" value="([^"]*)"/.exec((await visit('/portal')).text) ?? [];
    const paths = ['default', 'detach', 'cancel', 'uncancel', 'pause', 'resume', 'keep-plan'];
    paths.push('pay', 'pay-all', 'change', 'buy', 'add', 'mails-on', 'mails-off');
    const nul = 'nul\0x';
    for (const [n, path] of paths.entries()) {
      const fields = { id: nul, ids: nul, plan: nul, amount: nul, currency: nul, method: nul };
      const attempt = `attempt-of-a-test-${n}`;
      const { status } = await visit(`/portal/${path}`, { token, attempt, ...fields });
      expect([200, 303, 400, 404], path).toContain(status);
    }
    for (const path of ['change?id=', 'leave?setup=', 'returned?setup=', 'buy?amount=', '?done=']) {
      const { status } = await visit(`/portal/${path}%00`);
      expect([200, 303, 400, 404], path).toContain(status);
    }
  });

  test('changes the plan after it has shown the charge, and charges once', async ({
    api,
    session,
    visitor,
  }) => {
    const { customer } = await aBuyer(session);
    const small = await aPlan(session, 'Small', 1_000);
    const large = await aPlan(session, 'Large', 5_000);
    const { id } = await aSubscription(fresh(session), {
      customerId: customer.id,
      priceId: small.id,
    });
    const visit = visitor();
    await visit(await linkOf(api));
    const plans = await visit(`/portal/change?id=${id}`);
    expect(plans.text).toContain(`value="${large.id}"`);
    expect(plans.text).not.toContain(`value="${small.id}"`);
    expect(plans.text).not.toContain(' checked');
    const preview = await visit(`/portal/change?id=${id}&plan=${large.id}`);
    expect(preview.text).toContain('Charged now, with tax');
    expect(preview.text).toContain('$50.00');
    const form = formIn(preview.text, 'change');
    const answers = await Promise.all([
      visit('/portal/change', form),
      visit('/portal/change', form),
    ]);
    expect(answers.map(({ location }) => location)).toContain('/portal?done=change');
    expect(await visit('/portal/change', form)).toMatchObject({ location: '/portal?done=change' });
    const { em } = fresh(session);
    expect((await em.findOneOrFail(Subscription, id)).price?.id).toBe(large.id);
    expect(await em.count(Payment, { customerId: customer.id })).toBe(2);
  });

  test('offers no add-on as a plan, and a change of the plan keeps it as an item', async ({
    api,
    session,
    visitor,
  }) => {
    const { customer } = await aBuyer(session);
    const small = await aPlan(session, 'Small', 1_000);
    const large = await aPlan(session, 'Large', 5_000);
    const storage = await aPlan(session, 'Storage', 300);
    const { productId: id } = storage;
    await api('PUT', `/products/${id}`, { product: { id, addOn: true } });
    const { subscription } = (
      await api('POST', '/subscriptions', {
        customerExternalId: customer.externalId,
        items: [{ priceId: small.id }, { priceId: storage.id, quantity: 2 }],
      })
    ).body;
    const visit = visitor();
    await visit(await linkOf(api));
    const change = `/portal/change?id=${subscription.id}`;
    // Nor is its charge shown by its address.
    for (const page of [change, `${change}&plan=${storage.id}`]) {
      const { text } = await visit(page);
      expect(text).toContain(`value="${large.id}"`);
      expect(text).not.toContain(`value="${storage.id}"`);
    }
    const { text } = await visit(`${change}&plan=${large.id}`);
    await visit('/portal/change', formIn(text, 'change'));
    const items = await fresh(session).em.find(SubscriptionItem, {
      subscription: subscription.id,
      expiredAt: null,
    });
    const kept = items.map(({ priceId, quantity }) => [priceId, quantity]);
    expect(new Map(kept as never)).toEqual(
      new Map([
        [large.id, 1],
        [storage.id, 2],
      ]),
    );
  });

  test('pays all open invoices with one charge, however often the form is sent', async ({
    api,
    session,
    visitor,
  }) => {
    const { customer } = await aBuyer(session);
    const open = async () => {
      const { id } = await aDraft(session, { customerId: customer.id });
      return finalizeInvoice(fresh(session), { id });
    };
    await open();
    const visit = visitor();
    await visit(await linkOf(api));
    expect((await visit('/portal')).text).not.toContain('Pay all');
    await open();
    const page = await visit('/portal');
    expect(page.text).toContain('Pay all 2 open invoices: $20.00');
    const form = formIn(page.text, 'pay-all');
    for (let time = 0; time < 2; time++) {
      expect(await visit('/portal/pay-all', form)).toMatchObject({ location: '/portal?done=pay' });
    }
    const { em } = fresh(session);
    expect(await em.find(SandboxCharge, { organizationId: session.organizationId })).toMatchObject([
      { amount: 2_000 },
    ]);
    expect((await visit('/portal')).text).not.toContain('Pay all');
  });

  test('names the consolidated invoice of an invoice, and links to its PDF', async ({
    api,
    session,
    visitor,
  }) => {
    const token = 'sandbox_decline_insufficient_funds';
    const { timeline } = await aConsolidatingCustomer(session, token, [{}, {}]);
    await timeline.toDay(31);
    const [document] = await documentsOf(timeline);
    const visit = visitor();
    await visit(await linkOf(api, timeline.customer.externalId));
    const { text } = await visit('/portal');
    expect(text.split(`Part of invoice ${document?.invoiceNumber}<`)).toHaveLength(3);
    expect(text.split(`/documents/invoice/${document?.id}`)).toHaveLength(4);
    const paid = await visit('/portal/pay-all', formIn(text, 'pay-all'));
    expect(paid.location).toMatch('/portal?');
    expect((await timeline.charges()).at(-1)).toMatchObject({ amount: 2_000 });
  });

  test('leaves an invoice that is being replaced out of the charge for all', async ({
    api,
    session,
    visitor,
  }) => {
    const it = await anAdjustable(session, { unitPrice: 5_000 });
    await it.pays('sandbox_decline_insufficient_funds', { default: true });
    await it.toDay(30);
    const { id: slow } = await it.pays('sandbox_processing_success');
    const change = 'update subscription set default_payment_method_id = ? where id = ?';
    await it.fresh().em.execute(change, [slow, it.id]);
    await it.moveClockAlone(45);
    await it.adjust([{ priceId: await it.monthly(9_000) }]);
    for (let count = 0; count < 2; count++) {
      const { id } = await aDraft(session, { customerId: it.customer.id });
      await finalizeInvoice(it.fresh(), { id });
    }
    const open = (await it.invoices()).filter(({ status }) => status === 'open');
    expect(open.map(({ total }) => total).sort()).toEqual([1_000, 1_000, 5_000]);
    const visit = visitor();
    await visit(await linkOf(api, it.customer.externalId));
    const page = await visit('/portal');
    expect(page.text).toContain('Pay all 2 open invoices: $20.00');
    const paid = await visit('/portal/pay-all', formIn(page.text, 'pay-all'));
    expect(paid).toMatchObject({ location: '/portal?done=pay' });
    const replaced = open.find(({ total }) => total === 5_000);
    expect(() => formIn(page.text, 'pay', { id: replaced?.id ?? '' })).toThrow('no form');
  });

  test('adds, prefers and removes payment methods through the page of the processor', async ({
    api,
    session,
    visitor,
  }) => {
    const { customer, method } = await aBuyer(session);
    const visit = visitor();
    await visit(await linkOf(api));
    const home = await visit('/portal');
    const left = await visit('/portal/add', formIn(home.text, 'add'));
    const [, page = ''] = /class="button main" href="([^"]+)"/.exec(left.text) ?? [];
    expect(left.text).toContain(`content="0;url=${page}"`);
    const paths = new URL(page).pathname;
    const done = await visit(paths, { token: 'sandbox_success', type: 'card', action: 'confirm' });
    const [, back = ''] = /url=([^"]+)"/.exec(done.text) ?? [];
    expect(back).toMatch(/^http:\/\/test\/portal\/returned\?setup=/);
    for (let round = 0; round < 2; round++) {
      expect(await visit(back)).toMatchObject({ location: '/portal?done=added' });
    }
    const shown = await visit('/portal');
    await visit('/portal/default', formIn(shown.text, 'default', { id: method.id }));
    await visit('/portal/detach', formIn(shown.text, 'detach', { id: method.id }));
    const methods = await fresh(session).em.find(PaymentMethod, { customer: customer.id });
    expect(methods).toHaveLength(2);
    expect(methods.find(({ id }) => id === method.id)?.detachedAt).not.toBeNull();
  });

  test('shows every invoice once on pages of ten, the newest first, and refuses a changed cursor', async ({
    api,
    session,
    visitor,
  }) => {
    const customer = await aCustomer(session, { externalId: 'ada' });
    const numbers: string[] = [];
    for (let count = 0; count < 21; count++) {
      const { id } = await aDraft(session, { customerId: customer.id });
      numbers.unshift((await finalizeInvoice(fresh(session), { id })).invoiceNumber ?? '');
    }
    const visit = visitor();
    await visit(await linkOf(api));
    const shown = (text: string) =>
      [...text.matchAll(/aria-label="Invoice \(PDF\) ([^"]+)"/g)].map(([, number]) => number);
    const wayTo = (text: string, label: string) =>
      new RegExp(`href="([^"#]+)#invoices">${label}`).exec(text)?.[1]?.replaceAll('&#38;', '&');
    const first = await visit('/portal');
    expect(wayTo(first.text, 'Newer')).toBeUndefined();
    const second = await visit(wayTo(first.text, 'Older') ?? '');
    const third = await visit(wayTo(second.text, 'Older') ?? '');
    expect(wayTo(third.text, 'Older')).toBeUndefined();
    const pages = [first, second, third].map(({ text }) => shown(text));
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 1]);
    expect(pages.flat()).toEqual(numbers);
    const back = await visit(wayTo(third.text, 'Newer') ?? '');
    expect(shown(back.text)).toEqual(pages[1]);
    const front = await visit(wayTo(back.text, 'Newer') ?? '');
    expect(shown(front.text)).toEqual(pages[0]);
    expect(wayTo(front.text, 'Newer')).toBeUndefined();
    for (const way of ['after', 'before']) {
      for (const cursor of ['x', '<script>', `${way}%00`, 'A'.repeat(5_000)]) {
        const refused = await visit(`/portal?${way}=${cursor}`);
        expect(refused, `${way}=${cursor.slice(0, 20)}`).toMatchObject({ status: 400 });
        expect(refused.text).toContain('Back to billing');
        expect(refused.text).not.toContain('<script');
      }
    }
  });

  test('names a test card on the page of the sandbox alone, which is marked as test', async ({
    api,
    session,
    visitor,
  }) => {
    const { customer } = await aBuyer(session);
    const small = await aPlan(session, 'Small', 1_000);
    const large = await aPlan(session, 'Large', 5_000);
    const subscription = await aSubscription(fresh(session), {
      customerId: customer.id,
      priceId: small.id,
    });
    const visit = visitor();
    await visit(await linkOf(api));
    const home = await visit('/portal');
    const left = await visit('/portal/add', formIn(home.text, 'add'));
    const change = `/portal/change?id=${subscription.id}`;
    const pages = [
      home,
      left,
      await visit(change),
      await visit(`${change}&plan=${large.id}`),
      await visit('/portal/nothing'),
      await visitor()('/portal'),
    ];
    for (const { text } of pages) {
      expect(allSandboxTokens.filter((token) => text.includes(token))).toEqual([]);
    }
    for (const { text } of pages.slice(0, 4)) expect(text).toContain('Test mode: no money moves');
    const [, url = ''] = /class="button main" href="([^"]+)"/.exec(left.text) ?? [];
    const sandbox = await visit(new URL(url).pathname);
    for (const token of allSandboxTokens) expect(sandbox.text).toContain(`value="${token}"`);
    expect(sandbox.text).toContain('These cards exist in test mode only');
  });
});

describe('the rotation of the key that created a link', () => {
  const rotate =
    'mutation($id: ID!, $overlap: Int) { rotateApiKey(id: $id, overlapSeconds: $overlap) { token apiKey { id } } }';
  const revoke = 'mutation($id: ID!) { revokeApiKey(id: $id) { apiKey { __typename } } }';
  const billing = '{ customerBilling(externalId: "ada") { billingPortalUrl } }';

  test('keeps the link and its sessions for their hour; the revocation of the old key still ends both', async ({
    session,
    visitor,
    graphql,
  }) => {
    const { customer } = await aBuyer(session);
    for (const overlap of [0, 600]) {
      const key = await aNewKey(graphql);
      const { data } = await graphql(billing, {}, { key: key.token });
      const link = data.customerBilling.billingPortalUrl;
      const before = visitor();
      expect(await before(link)).toMatchObject({ status: 303 });
      await graphql(rotate, { id: key.id, overlap });
      const after = visitor();
      expect(await after(link)).toMatchObject({ status: 303 });
      for (const visit of [before, after])
        expect(await visit('/portal')).toMatchObject({ status: 200 });
      if (overlap === 0) {
        const [latest] = await fresh(session).em.find(
          CustomerToken,
          { customer: customer.id, apiKeyId: key.id },
          { orderBy: { expiresAt: 'desc' }, limit: 1 },
        );
        const end = Number.parseInt(link.split('/').at(-1).split('.')[1], 36);
        expect(latest?.expiresAt.getTime()).toBeLessThanOrEqual(end);
      }
      await graphql(revoke, { id: key.id });
      expect(await visitor()(link)).toMatchObject({ status: 403 });
      for (const visit of [before, after])
        expect(await visit('/portal')).toMatchObject({ status: 403 });
    }
  });

  test('lets no link live longer than a key that expires', async ({
    session,
    visitor,
    graphql,
  }) => {
    await aBuyer(session);
    const expiresAt = session.now.getTime() + 30 * 60_000;
    const key = await aNewKey(graphql, { expiresAt });
    const { data } = await graphql(billing, {}, { key: key.token });
    const link = data.customerBilling.billingPortalUrl;
    expect(Number.parseInt(link.split('/').at(-1).split('.')[1], 36)).toBe(expiresAt);
    const visit = visitor();
    expect(await visit(link)).toMatchObject({ status: 303 });
    const token = await fresh(session).em.findOneOrFail(CustomerToken, { apiKeyId: key.id });
    expect(token.expiresAt.getTime()).toBe(expiresAt);
  });
});

describe('an attacker', () => {
  test('opens nothing with a link after its hour, after its key, or after the key of its signature', async ({
    api,
    session,
    visitor,
    graphql,
  }) => {
    const { customer } = await aBuyer(session);
    const now = await presentOf(session.em);
    const linkAt = (milliseconds: number, apiKeyId = session.apiKeyId) => {
      const expiresAt = new Date(now.getTime() + milliseconds);
      const text = portalLinkText({
        customerId: customer.id,
        epoch: 0,
        expiresAt,
        apiKeyId,
        scopes: [],
        origins: [],
      });
      return `/portal/open/${text}`;
    };
    // The present of the service decides: a link is over in the millisecond of its expiry.
    for (const past of [0, -1, -3_600_000]) {
      const answer = await visitor()(linkAt(past));
      expect(answer).toMatchObject({ status: 403, location: null });
      expect(answer.text).toContain('This link is not valid');
    }
    expect(await visitor()(linkAt(60_000))).toMatchObject({ status: 303 });
    expect(await visitor()(linkAt(60_000, 'apikey_unknown'))).toMatchObject({ status: 403 });

    const link = await linkOf(api);
    const next = secretsKeyFrom(newSecretsKey());
    if (!next) throw new Error('A new key is no key');
    useSecretsKeys([next, ...usualKeys]);
    expect(await visitor()(link)).toMatchObject({ status: 303 });
    useSecretsKeys([next]);
    expect(await visitor()(link)).toMatchObject({ status: 403 });
    useSecretsKeys(usualKeys);

    const key = await aNewKey(graphql);
    const query = '{ customerBilling(externalId: "ada") { billingPortalUrl } }';
    const { data } = await graphql(query, {}, { key: key.token });
    const theirs = data.customerBilling.billingPortalUrl;
    const visit = visitor();
    expect(await visit(theirs)).toMatchObject({ status: 303 });
    expect(await visit('/portal')).toMatchObject({ status: 200 });
    await graphql('mutation($id: ID!) { revokeApiKey(id: $id) { apiKey { __typename } } }', {
      id: key.id,
    });
    expect(await visitor()(theirs)).toMatchObject({ status: 403 });
    expect(await visit('/portal')).toMatchObject({ status: 403 });
  });

  test('finds a page that tells nothing behind forged, changed and expired links', async ({
    api,
    session,
    visitor,
  }) => {
    await aBuyer(session);
    const link = await linkOf(api);
    const other = await aCustomer(session, { externalId: 'eve' });
    const parts = link.split('/').at(-1)?.split('.') ?? [];
    const changed = [
      [other.id, ...parts.slice(1)],
      [parts[0], 'zzzzzzzz', ...parts.slice(2)],
      [...parts.slice(0, 3), '1', parts[4]],
    ];
    const texts = new Set<string>();
    for (const path of [
      'x',
      'a.b.c.d.e',
      `${parts.join('.')}x`,
      '%00',
      ...changed.map((each) => each.join('.')),
    ]) {
      const answer = await visitor()(`/portal/open/${path}`);
      expect(answer).toMatchObject({ status: 403, location: null });
      expect(answer.headers.get('set-cookie')).toBeNull();
      texts.add(answer.text);
    }
    const without = await visitor()('/portal');
    expect(without.status).toBe(403);
    texts.add(without.text);
    // One page for all of them, so that it does not tell which part was right.
    expect(texts.size).toBe(1);
    await api('POST', '/customers/ada/archive');
    expect(await visitor()(link)).toMatchObject({ status: 403 });
  });

  test('reaches nothing of another customer, organization or site', async ({
    api,
    session,
    visitor,
    database,
    gateway,
  }) => {
    await aBuyer(session);
    const { method: foreign, customer: eve } = await aBuyer(session, 'eve');
    const price = await aPlan(session, 'Team', 900);
    const theirs = await aSubscription(fresh(session), { customerId: eve.id, priceId: price.id });
    const elsewhere = await aTenant(database.orm.em);
    const stranger = await aBuyer(elsewhere.session);
    const visit = visitor();
    await visit(await linkOf(api));
    const home = await visit('/portal');
    const form = formIn(home.text, 'add');
    let attempt = 0;
    const tryTo = (action: string, fields: Fields, headers: Fields = {}) =>
      visit(
        `/portal/${action}`,
        { ...form, attempt: `attempt-number-${attempt++}`, ...fields },
        headers,
      );
    for (const id of [foreign.id, stranger.method.id]) {
      for (const action of ['detach', 'default'])
        expect(await tryTo(action, { id })).toMatchObject({ status: 404 });
    }
    for (const action of ['cancel', 'uncancel', 'change']) {
      expect(await tryTo(action, { id: theirs.id, plan: price.id })).toMatchObject({ status: 404 });
    }
    expect(await visit(`/portal/change?id=${theirs.id}`)).toMatchObject({ status: 404 });
    // Another site sends the form, or guesses its token, or a page of another session has it.
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ]) {
      expect(await tryTo('add', {}, headers)).toMatchObject({ status: 403 });
    }
    for (const fields of [
      { token: 'x' },
      { token: '' },
      { attempt: '' },
      { attempt: 'a\r\nset-cookie: a=b' },
    ]) {
      expect(await tryTo('add', fields)).toMatchObject({ status: 403 });
    }
    const second = visitor();
    await second(await linkOf(api));
    expect(await second('/portal/add', form)).toMatchObject({ status: 403 });
    const json = await gateway.fetch('http://test/portal/add', {
      method: 'POST',
      body: JSON.stringify(form),
      headers: {
        'content-type': 'application/json',
        cookie: visit.cookie(),
        origin: 'http://test',
      },
    });
    expect(json.status).toBe(403);
    for (const path of ['__proto__', 'constructor', 'nothing']) {
      expect(await tryTo(path, {})).toMatchObject({ status: 404 });
    }
  });

  test('writes neither a header nor markup with a name', async ({ api, session, visitor }) => {
    const name = `"><script>alert(1)</script> \r\nset-cookie: a=b`;
    const { customer } = await aBuyer(session);
    await api('PUT', '/customers/ada', { customer: { name } });
    const price = await aPlan(session, `<img src=x onerror=alert(1)>`, 900);
    await aSubscription(fresh(session), { customerId: customer.id, priceId: price.id });
    const visit = visitor();
    await visit(await linkOf(api));
    const home = await visit('/portal?done=<script>');
    expect(home.text.replace(/<script src="\/portal\/live.js"/, '')).not.toMatch(
      /<script|<img src=x/,
    );
    expect(home.headers.get('set-cookie')).toBeNull();
  });

  test('loses the session with the token, the key and the customer', async ({
    api,
    session,
    visitor,
    graphql,
  }) => {
    const { customer } = await aBuyer(session);
    const visit = visitor();
    await visit(await linkOf(api));
    expect(await visit('/portal')).toMatchObject({ status: 200 });
    const [token] = await fresh(session).em.find(CustomerToken, { customer: customer.id });
    expect(token).toMatchObject({ apiKeyId: session.apiKeyId, allowedOrigins: ['http://test'] });
    await graphql('mutation($id: ID!) { revokeCustomerTokens(customer: $id) { revokedCount } }', {
      id: customer.id,
    });
    expect(await visit('/portal')).toMatchObject({ status: 403 });
  });

  test('gets no link with a key that may not create tokens, nor with a customer token', async ({
    graphql,
    session,
  }) => {
    const { customer } = await aBuyer(session);
    const query = '{ customerBilling(externalId: "ada") { billingPortalUrl } }';
    const key = async (scopes: string) =>
      (
        await graphql(
          `mutation { createApiKey(apiKey: { name: "A", type: secret, scopes: [${scopes}] }) { token } }`,
        )
      ).data.createApiKey.token;
    const { data } = await graphql(
      'mutation($id: ID!) { createCustomerToken(customer: $id) { token } }',
      { id: customer.id },
    );
    for (const credential of [await key('read'), data.createCustomerToken.token]) {
      expect(
        (await graphql(query, {}, { key: credential })).data.customerBilling.billingPortalUrl,
      ).toBeNull();
    }
    const reader = await graphql(query, {}, { key: await key('read, customer_tokens_write') });
    expect(reader.data.customerBilling.billingPortalUrl).toMatch(/\/portal\/open\//);
  });
});
