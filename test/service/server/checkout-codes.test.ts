// @module-tag long
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import { createTaxRate } from '#domain/catalog/commands/tax-rates/create-tax-rate.ts';
import type { Session } from '#domain/kernel/session.ts';
import { moneyText } from '#domain/kernel/values/currencies.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { aDiscount } from '../../support/discounts.ts';
import { aCustomer, aPriceOf, fresh } from '../../support/factories.ts';
import { expectBooksToAgree, expectMoneyToAgree } from '../../support/money.ts';
import { aCheckout } from '../../support/screen/checkout.ts';
import { tried } from '../../support/seeded.ts';
import { aTenant } from '../../support/tenant.ts';
import { apiOf, test as base } from '../../support/test.ts';

type Gateway = { fetch(url: string, init?: object): Response | Promise<Response> };

/** A buyer's browser: what the page shows, and its form, which another submit sends on. */
interface Shown {
  readonly status: number;
  readonly text: string;
  /** The fields of the form with their values. */
  readonly fields: Readonly<Record<string, string>>;
}

const unescaped = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

/** The fields of the form of a page, as a browser would send them. */
function fieldsOf(text: string): Record<string, string> {
  const inputs = [...text.matchAll(/<input[^>]* name="(\w+)"[^>]* value="([^"]*)"/g)];
  const selects = [...text.matchAll(/<select id="(\w+)"[^>]*>(.*?)<\/select>/gs)];
  return Object.fromEntries([
    ...inputs.map(([, name = '', value = '']) => [name, unescaped(value)]),
    ...selects.map(([, name = '', options = '']) => [
      name,
      /value="([^"]*)" selected/.exec(options)?.[1] ?? '',
    ]),
  ]);
}

const buyer =
  (gateway: Gateway) =>
  async (
    address: string,
    form?: Readonly<Record<string, string>>,
    language = 'en',
  ): Promise<Shown> => {
    const { pathname, search } = new URL(address, 'http://test');
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'accept-language': language,
    };
    const init = form
      ? { method: 'POST', body: new URLSearchParams(form).toString(), headers }
      : { headers };
    const response = await gateway.fetch(`http://test${pathname}${search}`, init);
    const next = response.status === 303 ? response.headers.get('location') : null;
    if (next) return buyer(gateway)(next, undefined, language);
    const text = await response.text();
    return { status: response.status, text, fields: fieldsOf(text) };
  };

const test = base.extend('visit', ({ gateway }) => buyer(gateway));

const ada = { email: 'ada@example.com', name: 'Ada', token: 'sandbox_success' };

/** The text at a field that is refused. */
const problemAt = (field: string, { text }: Shown) =>
  unescaped(new RegExp(`id="${field}-problem">([^<]*)<`).exec(text)?.[1] ?? '');

/** The problem above the form. */
const problemOf = ({ text }: Shown) => /role="alert">([^<]*)</.exec(text)?.[1];

/** The amount on the button that pays. */
const toPay = ({ text }: Shown) => /<button>Pay ([^<]*)<\/button>/.exec(text)?.[1];

const countOf = async (session: Session, id: string) =>
  (await fresh(session).em.findOneOrFail(Discount, id)).redemptionCount;

const invoicesOf = (session: Session) =>
  fresh(session).em.find(Invoice, {}, { orderBy: { position: 'asc' } });

/** A seller in Germany with the tax rates of Germany and France. */
async function sellFromGermany(session: Session, taxInclusive = false) {
  const seller = { line1: 'Weg 1', city: 'Berlin', postal_code: '10115', country: 'DE' };
  await updateOrganization(fresh(session), {
    organization: {
      taxEngine: 'rates',
      taxInclusive,
      address: seller,
      taxIds: [{ type: 'eu_vat', value: 'DE123456788' }],
    } as never,
  });
  for (const [country, ratePercentage] of [
    ['DE', '19'],
    ['FR', '20'],
  ] as const)
    await createTaxRate(fresh(session), {
      taxRate: { name: 'VAT', taxType: 'vat', ratePercentage, country } as never,
    });
}

describe('the code of a discount on the page of a checkout', () => {
  test('is refused next to its field in the language of the page, and nothing typed is lost', async ({
    api,
    session,
    visit,
  }) => {
    const { id, externalId: customerExternalId } = await aCustomer(session);
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const euro = { amountType: 'fixed', amount: 100, currency: 'EUR' } as const;
    await aDiscount(session, { code: 'INACTIVE' }).then(({ id }) =>
      api('PUT', `/discounts/${id}`, { discount: { id, active: false } }),
    );
    await aDiscount(session, { code: 'EXPIRED' });
    await aDiscount(session, { code: 'EXHAUSTED', redemptionLimit: 1 });
    await aDiscount(session, { code: 'ONCE-EACH', redemptionLimitPerCustomer: 1 });
    await aDiscount(session, { code: 'EURO', ...euro });
    const { em } = fresh(session);
    await em.execute(
      `update discount set expires_at = now() - interval '1 day' where code = 'EXPIRED'`,
    );
    for (const discountCode of ['EXHAUSTED', 'ONCE-EACH']) {
      const once = await aCheckout(api, { customerExternalId, priceId, discountCode });
      const page = await visit(once.url);
      await visit(once.url, { ...page.fields, ...ada });
      await fresh(session).em.execute(
        `update subscription set status = 'canceled', canceled_at = now() where customer_id = ? and not is_free_plan`,
        [id],
      );
    }
    const { url, checkoutSession } = await aCheckout(api, { customerExternalId, priceId });
    const typed = { ...ada, email: 'grace@example.com', city: 'Köln', country: 'DE' };
    for (const [code, english, german] of [
      ['', /^Enter a code$/, /^Geben Sie einen Code ein$/],
      ['NO-SUCH', /no such code/, /Diesen Code gibt es nicht/],
      ['<b>&', /no such code/, /Diesen Code gibt es nicht/],
      ['inactive', /cannot be used any more/, /gilt nicht mehr/],
      ['Expired', /has expired/, /ist abgelaufen/],
      ['EXHAUSTED', /used as often as it may be/, /wurde schon so oft/],
      [' once-each ', /You have used this code/, /Sie haben diesen Code/],
      ['EURO', /another currency/, /andere Währung/],
    ] as const) {
      for (const [language, expected] of [
        ['en', english],
        ['de-DE', german],
      ] as const) {
        const first = await visit(url, undefined, language);
        const form = { ...first.fields, ...typed, code, action: 'apply-code' };
        const shown = await visit(url, form, language);
        expect(shown.status, code).toBe(400);
        expect(problemAt('code', shown), code).toMatch(expected);
        expect(shown.fields).toMatchObject({ ...typed, code });
        if (code === '') continue;
        // Also where the form is confirmed with the code still in the field.
        const confirmed = await visit(url, { ...form, action: '' }, language);
        expect(problemAt('code', confirmed), code).toMatch(expected);
        expect(confirmed.fields).toMatchObject({ code });
      }
    }
    const { body } = await api('GET', `/checkout-sessions/${checkoutSession.id}`);
    expect(body.checkoutSession).toMatchObject({ discountId: null });
  });

  test('is refused at its field where it has characters that no code has, as other fields are', async ({
    api,
    session,
    visit,
  }) => {
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const { url } = await aCheckout(api, { anonymous: true, priceId });
    for (const text of ['nul\0x', 'two\nlines', 'x'.repeat(4_000)])
      for (const action of ['apply-code', '']) {
        const shown = await visit(url, { ...ada, code: text, action });
        expect([shown.status, problemAt('code', shown)], text).toEqual([
          400,
          expect.stringMatching(/no such code/),
        ]);
      }
    for (const field of ['email', 'name', 'line1', 'country', 'tax_id', 'token', 'type', 'shown'])
      for (const action of ['update', 'remove-code', '']) {
        const { status } = await visit(url, { ...ada, [field]: 'nul\0x', action });
        expect([200, 400], `${field} ${action}`).toContain(status);
      }
  });

  test('shows its line and the new total, counts nothing before the payment, and can be removed', async ({
    api,
    session,
    visit,
  }) => {
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const discount = await aDiscount(session, { code: 'WELCOME', amount: 15, duration: 'once' });
    const { url, checkoutSession } = await aCheckout(api, { anonymous: true, priceId });
    const discountId = async () =>
      (await api('GET', `/checkout-sessions/${checkoutSession.id}`)).body.checkoutSession
        .discountId;
    const first = await visit(url);
    expect(toPay(first)).toBe('USD 20.00');
    const typed = { ...first.fields, email: 'ada@example.com', city: 'Köln' };
    const applied = await visit(url, { ...typed, code: ' welcome', action: 'apply-code' });
    expect(applied).toMatchObject({
      status: 200,
      fields: { city: 'Köln', email: 'ada@example.com' },
    });
    expect(applied.text).toMatch(/Discount WELCOME: 15 %.*−USD 3\.00.*First payment.*USD 17\.00/s);
    expect(toPay(applied)).toBe('USD 17.00');
    expect(await discountId()).toBe(discount.id);
    const removed = await visit(url, { ...applied.fields, action: 'remove-code' });
    expect(toPay(removed)).toBe('USD 20.00');
    expect(removed.fields).toMatchObject({ city: 'Köln', code: '' });
    expect(await discountId()).toBe(null);
    // Confirmed with a code that was not applied: the customer sees the amount first.
    const confirmed = await visit(url, { ...removed.fields, ...ada, code: 'WELCOME' });
    expect(confirmed.text).toContain('The amount has changed');
    expect(toPay(confirmed)).toBe('USD 17.00');
    expect(await countOf(session, discount.id)).toBe(0);
    expect(await invoicesOf(session)).toEqual([]);
    expect((await visit(url, { ...confirmed.fields, ...ada })).text).toContain('Thank you');
    expect(await invoicesOf(session)).toMatchObject([{ status: 'paid', total: 1_700 }]);
    expect(await countOf(session, discount.id)).toBe(1);
    await expectMoneyToAgree(session);
  });

  test('takes away the reason of an earlier refusal, which was that of another order', async ({
    api,
    session,
    visit,
  }) => {
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    await aDiscount(session, { code: 'WELCOME', amount: 15 });
    const { url } = await aCheckout(api, { anonymous: true, priceId });
    const declined = { ...ada, token: 'sandbox_decline_expired_card' };
    for (const step of [
      { action: 'apply-code', code: 'WELCOME' },
      { action: 'remove-code' },
      { action: 'apply-code', code: 'WELCOME', city: 'Bonn' },
      { action: 'update', country: 'DE' },
    ]) {
      let refused = await visit(url, { ...(await visit(url)).fields, ...declined });
      if (!problemOf(refused)) refused = await visit(url, { ...refused.fields, ...declined });
      expect(problemOf(refused), step.action).toMatch(/expired/);
      expect(problemOf(await visit(url))).toMatch(/expired/);
      const next = await visit(url, { ...refused.fields, ...step });
      expect(problemOf(next), step.action).toBe(undefined);
    }
  });

  test('leads to the page anew where nothing typed would be lost, so that a step back sends no form', async ({
    api,
    session,
    gateway,
    visit,
  }) => {
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    await aDiscount(session, { code: 'WELCOME', amount: 15 });
    const { url } = await aCheckout(api, { anonymous: true, priceId });
    const { pathname, search } = new URL(url);
    const statusOf = async (fields: Readonly<Record<string, string>>) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      // A browser sends the first test card where none is chosen.
      const sent = { ...fields, token: fields.token || 'sandbox_success' };
      const init = { method: 'POST', body: new URLSearchParams(sent).toString(), headers };
      const response = await gateway.fetch(`http://test${pathname}${search}`, init);
      if (response.status === 303)
        expect(response.headers.get('location')).toBe(`${pathname}${search}`);
      return response.status;
    };
    const { fields } = await visit(url);
    expect(await statusOf({ ...fields, action: 'apply-code', code: ' welcome' })).toBe(303);
    expect((await visit(url)).text).toContain('Code WELCOME');
    expect(await statusOf({ ...fields, action: 'remove-code' })).toBe(303);
    expect(await statusOf({ ...fields, action: 'update' })).toBe(303);
    for (const typed of [
      { email: 'a' },
      { country: 'DE' },
      { token: 'sandbox_slow' },
      { code: 'WELCOME' },
    ])
      expect(await statusOf({ ...fields, action: 'update', ...typed })).toBe(200);
    // What an earlier attempt has stored is shown again.
    const declined = { ...ada, token: 'sandbox_decline_expired_card', country: 'DE' };
    await visit(url, { ...fields, ...declined });
    const refused = await visit(url);
    expect(refused.fields).toMatchObject({ email: ada.email, country: 'DE' });
    expect(await statusOf({ ...refused.fields, action: 'update' })).toBe(303);
  });

  test('cannot be changed where the session does not allow it', async ({ api, session, visit }) => {
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const { code: discountCode } = await aDiscount(session, { amount: 50 });
    await aDiscount(session, { code: 'BETTER', amount: 90 });
    const fields = { anonymous: true, priceId, allowDiscountCodes: false };
    const all = { headers: { prefer: 'include=all' } };
    for (const [given, amount] of [
      [{}, 'USD 20.00'],
      [{ discountCode }, 'USD 10.00'],
    ] as const) {
      const { url, checkoutSession } = await aCheckout(api, { ...fields, ...given });
      const shown = await visit(url);
      expect(toPay(shown)).toBe(amount);
      expect(shown.fields.code).toBe(undefined);
      expect(shown.text).not.toContain('remove-code');
      for (const [tampered, problem] of [
        [{ action: 'remove-code' }, undefined],
        [{ action: 'apply-code', code: 'BETTER' }, 'No code can be used for this order'],
        [{ type: 'gold' }, 'Something went wrong. Try again.'],
      ] as const) {
        // A page that marks no field names the problem.
        const answer = await visit(url, { ...shown.fields, ...ada, ...tampered });
        expect(problemOf(answer)).toBe(problem);
        expect(toPay(await visit(url))).toBe(amount);
      }
      const { body } = await api('GET', `/checkout-sessions/${checkoutSession.id}`, undefined, all);
      expect(body.checkoutSession.allowDiscountCodes).toBe(false);
    }
  });

  test('cannot be found by guessing: after ten wrong codes a session takes none for a while', async ({
    api,
    session,
    visit,
  }) => {
    await aDiscount(session, { code: 'SECRET', amountType: 'percent', amount: 50 });
    const order = { anonymous: true, priceId: await aPriceOf(session, {}) };
    const { url } = await aCheckout(api, order);
    const tryCode = (code: string) => visit(url, { ...ada, code, action: 'apply-code' });
    for (let guess = 0; guess < 10; guess++) {
      expect(problemAt('code', await tryCode(`GUESS${guess}`))).toMatch(/no such code/);
    }
    expect(problemAt('code', await tryCode('SECRET'))).toMatch(/too many wrong codes/);
    const other = await aCheckout(api, order);
    const taken = await visit(other.url, { ...ada, code: 'SECRET', action: 'apply-code' });
    expect(taken.text).toContain('Code SECRET');
  });

  test('cannot be found by guesses at the same time, and codes that exist take no guess', async ({
    api,
    session,
    visit,
  }) => {
    await aDiscount(session, { code: 'SECRET', amountType: 'percent', amount: 50 });
    const order = { anonymous: true, priceId: await aPriceOf(session, {}) };
    const { url } = await aCheckout(api, order);
    const tryCode = (code: string) => visit(url, { ...ada, code, action: 'apply-code' });
    for (let time = 0; time < 12; time++)
      expect(problemAt('code', await tryCode('SECRET')), String(time)).toBe('');
    await visit(url, { ...ada, action: 'remove-code' });
    const guesses = Array.from({ length: 40 }, (_, guess) => tryCode(`GUESS${guess}`));
    const problems = (await Promise.all(guesses)).map((shown) => problemAt('code', shown));
    expect(problems.filter((text) => /no such code/.test(text))).toHaveLength(10);
    expect(problems.filter((text) => /too many wrong codes/.test(text))).toHaveLength(30);
  });

  test('reduces one payment where two buyers want its last redemption at once, and tells the other buyer', async ({
    api,
    session,
    visit,
  }) => {
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const discount = await aDiscount(session, { code: 'LAST', amount: 50, redemptionLimit: 1 });
    const pages = await Promise.all(
      [1, 2].map(async () => {
        const { url } = await aCheckout(api, { anonymous: true, priceId });
        const shown = await visit(url, {
          ...(await visit(url)).fields,
          code: 'LAST',
          action: 'apply-code',
        });
        return { url, shown };
      }),
    );
    expect(pages.map(({ shown }) => toPay(shown))).toEqual(['USD 10.00', 'USD 10.00']);
    const paid = await Promise.all(
      pages.map(({ url, shown }) => visit(url, { ...shown.fields, ...ada })),
    );
    const lost = paid.findIndex(({ text }) => !text.includes('Thank you'));
    expect(paid.filter(({ text }) => text.includes('Thank you'))).toHaveLength(1);
    const other = paid[lost] as Shown;
    expect(problemAt('code', other)).toContain('used as often as it may be');
    expect(other.fields).toMatchObject({ email: ada.email, name: ada.name });
    expect(await countOf(session, discount.id)).toBe(1);
    const url = pages[lost]?.url ?? '';
    const removed = await visit(url, { ...other.fields, action: 'remove-code' });
    expect(toPay(removed)).toBe('USD 20.00');
    expect((await visit(url, { ...removed.fields, ...ada })).text).toContain('Thank you');
    const totals = (await invoicesOf(session)).map(({ total }) => total);
    expect(totals.toSorted()).toEqual([1_000, 2_000]);
    await expectMoneyToAgree(session);
  });
});

test('the choice of a test card is in the language of the page', async ({
  api,
  session,
  visit,
}) => {
  const { url } = await aCheckout(api, { anonymous: true, priceId: await aPriceOf(session, {}) });
  const choiceIn = async (language: string) => {
    const { text } = await visit(url, undefined, language);
    return /<fieldset class="sandbox">.*?<\/fieldset>/s.exec(text)?.[0] ?? '';
  };
  expect(await choiceIn('en')).toMatch(/Test card.*test mode.*Succeeds \(sandbox_success\)/s);
  const german = await choiceIn('de');
  expect(german).toMatch(/Testkarte.*Testmodus.*Gelingt \(sandbox_success\)/s);
  expect(german).not.toMatch(/Test card|Succeeds|Declined|Choose/);
});

describe('the tax id of a company on the page of a checkout', () => {
  test('is refused next to its field in the language of the page, and nothing typed is lost', async ({
    api,
    session,
    visit,
  }) => {
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const { url } = await aCheckout(api, { anonymous: true, priceId });
    const first = await visit(url);
    for (const [country, tax_id, field, english, german] of [
      ['FR', '12', 'tax_id', /looks like FR12345678901/, /so aus: FR12345678901/],
      ['DE', 'DE123456789', 'tax_id', /digit of this number is wrong/, /Eine Ziffer/],
      ['US', '12', 'tax_id', /looks like 12-3456789/, /so aus: 12-3456789/],
      ['AT', '<i>"', 'tax_id', /looks like ATU12345678/, /so aus: ATU12345678/],
      ['', 'DE123456788', 'country', /Choose the country/, /Wählen Sie auch das Land/],
    ] as const) {
      for (const [language, expected] of [
        ['en', english],
        ['de', german],
      ] as const) {
        for (const action of ['update', '']) {
          const typed = { ...ada, city: 'Lyon', country, tax_id, code: '' };
          const shown = await visit(url, { ...first.fields, ...typed, action }, language);
          expect(shown.status, tax_id).toBe(400);
          expect(problemAt(field, shown), tax_id).toMatch(expected);
          expect(shown.fields).toMatchObject(typed);
        }
      }
    }
    expect(await invoicesOf(session)).toEqual([]);
    expect(await fresh(session).em.count(Customer, {})).toBe(0);
  });

  test('decides the tax before the payment, is stored with the customer, and can change after a refused card', async ({
    api,
    session,
    visit,
  }) => {
    await sellFromGermany(session);
    const product = await createProduct(fresh(session), {
      product: { name: 'Set-up', slug: 'set-up' },
      price: { type: 'single_payment', unitPrice: 10_000 },
    });
    const [price] = await product.prices.loadItems();
    const { url } = await aCheckout(api, { anonymous: true, priceId: price?.id });
    const first = await visit(url);
    expect(toPay(first)).toBe('USD 119.00');
    const france = { ...first.fields, ...ada, country: 'FR' };
    const updated = await visit(url, { ...france, action: 'update' });
    expect(toPay(updated)).toBe('USD 120.00');
    // The letters of the country may be left out.
    const company = { ...updated.fields, ...ada, tax_id: '40 303 265 045' };
    const changed = await visit(url, company);
    expect(changed.text).toContain('The amount has changed');
    expect(toPay(changed)).toBe('USD 100.00');
    expect(await invoicesOf(session)).toEqual([]);
    const declined = { token: 'sandbox_decline_expired_card' };
    const refused = await visit(url, { ...changed.fields, ...ada, ...declined });
    expect(refused.text).toContain('expired');
    expect(refused.fields).toMatchObject({ country: 'FR', tax_id: 'FR40303265045' });
    const [customer] = await fresh(session).em.find(Customer, {});
    expect(customer).toMatchObject({
      taxIds: [{ type: 'eu_vat', value: 'FR40303265045' }],
      billingAddress: { address: { country: 'FR' } },
    });
    // A consumer after all.
    const consumer = await visit(url, { ...refused.fields, ...ada, tax_id: '', action: 'update' });
    expect(toPay(consumer)).toBe('USD 120.00');
    expect((await visit(url, { ...consumer.fields, ...ada })).text).toContain('Thank you');
    expect(await invoicesOf(session)).toMatchObject([
      { status: 'void', total: 10_000 },
      { status: 'paid', total: 12_000 },
    ]);
    await expectMoneyToAgree(session);
    await expectBooksToAgree(session);
  });

  for (const kind of ['subscription', 'single_payment'] as const)
    test(`of a known customer can change after a refused card until it is changed elsewhere, for a ${kind}`, async ({
      api,
      session,
      visit,
    }) => {
      await sellFromGermany(session);
      const price =
        kind === 'subscription'
          ? { type: kind, unitPrice: 10_000, intervalUnit: 'month' as const, intervalCount: 1 }
          : { type: kind, unitPrice: 10_000 };
      const product = await createProduct(fresh(session), {
        product: { name: 'Set-up', slug: 'set-up' },
        price,
      });
      const [{ id: priceId = '' } = {}] = await product.prices.loadItems();
      const { externalId: customerExternalId } = await aCustomer(session);
      const customer = () =>
        fresh(session).em.findOneOrFail(Customer, { externalId: customerExternalId });
      const { url } = await aCheckout(api, { customerExternalId, priceId });
      const other = await aCheckout(api, { customerExternalId, priceId });
      const declined = { ...ada, token: 'sandbox_decline_expired_card' };
      const company = { country: 'FR', tax_id: 'FR40303265045', action: 'update' };
      const first = await visit(url, { ...(await visit(url)).fields, ...company });
      expect(toPay(first)).toBe('USD 100.00');
      const refused = await visit(url, { ...first.fields, ...declined });
      expect(refused.text).toContain('expired');
      expect(refused.fields.tax_id).toBe('FR40303265045');
      expect(await customer()).toMatchObject({ taxIds: [{ value: 'FR40303265045' }] });
      // Another page has not stored it, so it does not replace it.
      expect((await visit(other.url)).fields.tax_id).toBe(undefined);
      const consumer = { ...ada, country: 'DE', tax_id: '', action: 'update' };
      const updated = await visit(url, { ...refused.fields, ...consumer });
      expect(toPay(updated)).toBe('USD 119.00');
      const again = await visit(url, { ...updated.fields, ...declined });
      expect(toPay(again)).toBe('USD 119.00');
      expect(await customer()).toMatchObject({
        taxIds: [],
        billingAddress: { address: { country: 'DE' } },
      });
      const address = { line1: 'Ring 1', city: 'Wien', postal_code: '1010', country: 'AT' };
      await api('PUT', `/customers/${customerExternalId}`, {
        customer: { externalId: customerExternalId, billingAddress: { address } },
      });
      const changed = await visit(url, { ...again.fields, ...consumer });
      expect(toPay(changed)).toBe('USD 100.00');
      expect((await visit(url, { ...changed.fields, ...ada })).text).toContain('Thank you');
      expect(await customer()).toMatchObject({ billingAddress: { address: { country: 'AT' } } });
      expect((await invoicesOf(session)).filter(({ status }) => status === 'paid')).toMatchObject([
        { total: 10_000 },
      ]);
      await expectMoneyToAgree(session);
      await expectBooksToAgree(session);
    });

  test('of a customer who has one already is shown, and a link to a checkout does not replace it', async ({
    api,
    session,
    visit,
  }) => {
    await sellFromGermany(session);
    const { externalId } = await aCustomer(session);
    const taxIds = [{ type: 'eu_vat', value: 'ATU10223006' }];
    const address = { line1: 'Ring 1', city: 'Wien', postal_code: '1010', country: 'AT' };
    await api('PUT', `/customers/${externalId}`, {
      customer: { externalId, taxIds, billingAddress: { address } },
    });
    const priceId = await aPriceOf(session, { unitPrice: 2_000 });
    const { url } = await aCheckout(api, { customerExternalId: externalId, priceId });
    const shown = await visit(url);
    expect(shown.text).toContain('ATU10223006');
    expect(shown.fields.tax_id).toBe(undefined);
    expect(toPay(shown)).toBe('USD 20.00');
    const other = { ...shown.fields, ...ada, tax_id: 'FR40303265045', country: 'FR' };
    expect((await visit(url, other)).text).toContain('Thank you');
    const customer = await fresh(session).em.findOneOrFail(Customer, { externalId });
    expect(customer).toMatchObject({ taxIds, billingAddress: { address: { country: 'AT' } } });
    expect(await invoicesOf(session)).toMatchObject([{ total: 2_000 }]);
  });
});

const order = fc.record({
  interval: fc.constantFrom(null, 'month', 'year'),
  unitPrice: fc.integer({ min: 1, max: 9_999 }),
  quantity: fc.integer({ min: 1, max: 7 }),
  terms: fc.option(
    fc.record({
      amountType: fc.constantFrom('percent' as const, 'fixed' as const),
      amount: fc.integer({ min: 1, max: 110 }),
      duration: fc.constantFrom('once' as const, 'forever' as const),
    }),
  ),
  taxInclusive: fc.boolean(),
  place: fc.constantFrom(
    { country: '', tax_id: '' },
    { country: 'DE', tax_id: '' },
    { country: 'DE', tax_id: '123456788' },
    { country: 'FR', tax_id: '' },
    { country: 'FR', tax_id: 'fr 40 303 265 045' },
    { country: 'US', tax_id: '12-3456789' },
  ),
  /** The steps before the last confirmation, in a random order. */
  steps: fc.shuffledSubarray(['code', 'place', 'refused card'] as const, { minLength: 0 }),
});

test('the amount that a page shows before it is confirmed is that of the invoice, whatever was entered', async ({
  database,
  gateway,
}) => {
  const visit = buyer(gateway);
  await tried(
    'checkout',
    fc.asyncProperty(order, async ({ terms, place, steps, ...order }) => {
      const { session, key } = await aTenant(database.orm.em);
      const api = apiOf(gateway, key);
      await sellFromGermany(session, order.taxInclusive);
      const code = terms && (await aDiscount(session, terms)).code;
      const { unitPrice, interval } = order;
      const product = await createProduct(fresh(session), {
        product: { name: 'Pro', slug: 'pro' },
        price: interval
          ? { type: 'subscription', unitPrice, intervalUnit: interval, intervalCount: 1 }
          : { type: 'single_payment', unitPrice },
      });
      const [price] = await product.prices.loadItems();
      const { quantity } = order;
      const { url } = await aCheckout(api, { anonymous: true, priceId: price?.id, quantity });
      let shown = await visit(url);
      for (const step of steps) {
        const { fields } = shown;
        const sent = {
          code: { code: code ?? '', action: 'apply-code' },
          place: { ...place, action: 'update' },
          'refused card': { ...ada, token: 'sandbox_decline_expired_card' },
        }[step];
        shown = await visit(url, { ...fields, ...sent });
      }
      // All that is still to be entered comes with the confirmation, which shows another amount first.
      const rest = steps.includes('code') || !code ? {} : { code };
      let last = shown;
      for (let tries = 0; tries < 3 && !last.text.includes('Thank you'); tries++) {
        shown = last;
        last = await visit(url, {
          ...shown.fields,
          ...ada,
          ...place,
          ...(tries === 0 ? rest : {}),
        });
      }
      expect(last.text).toContain('Thank you');
      const paid = (await invoicesOf(session)).filter(({ status }) => status === 'paid');
      const total = paid[0]?.total ?? 0;
      expect(paid).toHaveLength(1);
      expect(toPay(shown)).toBe(total > 0 ? moneyText(total, 'USD') : undefined);
      const [customer] = await fresh(session).em.find(Customer, {});
      expect(customer?.taxIds).toHaveLength(place.tax_id ? 1 : 0);
      const isReverse = place.country === 'FR' && place.tax_id !== '';
      if (isReverse) expect(paid).toMatchObject([{ taxAmount: 0 }]);
      await expectMoneyToAgree(fresh(session));
      await expectBooksToAgree(fresh(session));
    }),
    { cases: 12, milliseconds: 20_000 },
  );
});
