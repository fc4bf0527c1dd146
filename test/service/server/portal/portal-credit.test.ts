// @module-tag long
import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { SandboxCharge } from '#domain/model/money/sandbox-charge.ts';
import { createCustomerToken } from '#domain/platform/commands/api-keys/create-customer-token.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { prepaidOffersInput } from '#domain/platform/commands/organizations/prepaid-offer-input.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { aCustomer, aPaymentMethod, fresh } from '../../../support/factories.ts';
import { creditsOf } from '../../../support/prepaid.ts';
import { formIn, linkOf, portalTest } from '../../../support/screen/portal.ts';

const usual = { currency: 'USD', amounts: [2_000, 5_000], minimum: 500, maximum: 1_250_000 };

async function offering(session: Session, ...offers: readonly object[]) {
  const prepaidOffers = prepaidOffersInput.parse(offers);
  const organization = { customersMayBuyCredit: true, prepaidOffers };
  await updateOrganization(fresh(session), { organization });
}

const close = (session: Session) =>
  updateOrganization(fresh(session), { organization: { customersMayBuyCredit: false } });

/** The customer `ada`, with a payment method of a token of the sandbox, or with none. */
async function aBuyer(session: Session, token: string | null = 'sandbox_success') {
  const { id } = await aCustomer(session, { externalId: 'ada' });
  const method = token && (await aPaymentMethod(session, id, { token, default: true }));
  return { id, method: method ? method.id : '' };
}

const test = portalTest.extend('shop', ({ api, visitor }) => async () => {
  const visit = visitor();
  await visit(await linkOf(api));
  /** The form that confirms the purchase of an amount. */
  const confirm = async (amount: number) =>
    formIn((await visit(`/portal/buy?amount=${amount}`)).text, 'buy');
  return { visit, confirm };
});

const chargesOf = (session: Session) =>
  fresh(session).em.find(SandboxCharge, { organizationId: session.organizationId });

describe('the portal of a customer that may buy credit', () => {
  test('names the offer, shows the charge, and sells after the confirmation', async ({
    session,
    shop,
  }) => {
    const { id } = await aBuyer(session);
    await offering(session, { ...usual, validDays: 30 });
    const { visit, confirm } = await shop();
    expect((await visit('/portal')).text).toContain('href="/portal/buy"');
    const amounts = await visit('/portal/buy');
    for (const words of ['$20.00', '$50.00', 'From $5.00 to $12,500.00', 'expires 30 days after'])
      expect(amounts.text).toContain(words);
    const charge = await visit('/portal/buy?amount=5000&own=');
    for (const words of ['Charged now', '$50.00', 'ending in', 'Buy for $50.00'])
      expect(charge.text).toContain(words);
    expect(await creditsOf(session, id)).toEqual([]);
    const bought = await visit('/portal/buy', await confirm(5_000));
    expect(bought).toMatchObject({ status: 303, location: '/portal?done=bought' });
    const home = await visit('/portal?done=bought');
    expect(home.text).toContain('The credit is bought.');
    expect(home.text).toContain('$50.00 of $50.00 left');
    const typed = await visit(`/portal/buy?amount=own&own=${encodeURIComponent('$1,234.5')}`);
    expect(formIn(typed.text, 'buy')).toMatchObject({ amount: '123450', currency: 'USD' });
    const german = { 'accept-language': 'de' };
    const own = await visit('/portal/buy?amount=own&own=1.234,50', undefined, german);
    expect(formIn(own.text, 'buy')).toMatchObject({ amount: '123450' });
    expect(own.text).toContain('Für 1.234,50 $ kaufen');
  });

  test('has no field for another amount without limits, and no fixed ones without amounts', async ({
    session,
    shop,
  }) => {
    await aBuyer(session);
    await offering(session, { currency: 'USD', amounts: [700] });
    const { visit } = await shop();
    const fixed = await visit('/portal/buy');
    expect(fixed.text).toContain('value="700" checked');
    expect(fixed.text).not.toContain('name="own"');
    expect(fixed.text).toContain('It does not expire.');
    await offering(session, { currency: 'USD', minimum: 500, maximum: 900 });
    const free = await visit('/portal/buy');
    expect(free.text).toContain('<input type="hidden" name="amount" value="own">');
    expect(free.text).not.toContain('type="radio"');
  });

  test('states at the field why an amount is refused, and keeps what was typed', async ({
    session,
    shop,
  }) => {
    const { id } = await aBuyer(session);
    await offering(session, usual);
    const { visit, confirm } = await shop();
    for (const [typed, words] of [
      ['', 'This is not an amount. Write it like $5.00.'],
      ['a few', 'This is not an amount.'],
      ['-50', 'This is not an amount.'],
      ['1.500', 'This is not an amount.'],
      ['4.99', 'This amount is not from $5.00 to $12,500.00.'],
      ['12500.01', 'This amount is not from $5.00 to $12,500.00.'],
    ] as const) {
      const refused = await visit(`/portal/buy?amount=own&own=${encodeURIComponent(typed)}`);
      expect(refused.status, typed).toBe(400);
      expect(refused.text, typed).toContain(`role="alert">${words}`);
      expect(refused.text).toContain(
        `value="${typed}" aria-describedby="limits problem" aria-invalid="true"`,
      );
      expect(refused.text).toContain('value="own" checked');
    }
    for (const amount of ['2001', '1', '0', 'x', '5000000']) {
      const gone = await visit(`/portal/buy?amount=${amount}`);
      expect(gone.status === 400, amount).toBe(amount !== '2001');
      if (amount !== '2001') expect(gone.text).toContain('id="gone" role="alert"');
    }
    // The form of the confirmation with another amount is bound to the offer, too.
    for (const amount of ['499', '1e99', 'x', '']) {
      const changed = await visit('/portal/buy', { ...(await confirm(2_000)), amount });
      expect(changed.status, amount).toBe(400);
      expect(changed.text).toContain('id="gone" role="alert"');
    }
    expect(await creditsOf(session, id)).toEqual([]);
  });

  test('buys once, however often a confirmation is sent', async ({ session, shop }) => {
    const { id } = await aBuyer(session);
    await offering(session, usual);
    const { visit, confirm } = await shop();
    const form = await confirm(2_000);
    const answers = await Promise.all([1, 2, 3].map(() => visit('/portal/buy', form)));
    answers.push(await visit('/portal/buy', form));
    for (const { location } of answers) expect(location).toBe('/portal?done=bought');
    expect(await creditsOf(session, id)).toEqual(['purchase 2000: 2000 left']);
    expect(await chargesOf(session)).toMatchObject([{ amount: 2_000 }]);
    // Another page is another purchase.
    await visit('/portal/buy', await confirm(2_000));
    expect(await chargesOf(session)).toHaveLength(2);
  });

  test('learns why a payment failed, owes nothing, and pays with another payment method', async ({
    session,
    shop,
  }) => {
    const { id, method } = await aBuyer(session, 'sandbox_decline_insufficient_funds');
    const other = await aPaymentMethod(session, id);
    await offering(session, usual);
    const { visit, confirm } = await shop();
    const given = await confirm(2_000);
    const form = { ...given, method };
    const declined = await visit('/portal/buy', form);
    expect(declined.status).toBe(402);
    expect(declined.text).toContain('The payment failed, and nothing was bought:');
    expect(declined.text).toMatch(/bought: \w/);
    expect(await visit('/portal/buy', form)).toMatchObject({ status: 402 });
    const again = formIn(declined.text, 'buy');
    expect(again.attempt).not.toBe(given.attempt);
    const bought = await visit('/portal/buy', { ...again, method: other.id });
    expect(bought).toMatchObject({ location: '/portal?done=bought' });
    expect(await creditsOf(session, id)).toEqual([
      'purchase 2000: void',
      'purchase 2000: 2000 left',
    ]);
  });

  test('is led to the confirmation at its bank, and may leave it for another purchase', async ({
    session,
    shop,
  }) => {
    await aBuyer(session, 'sandbox_action_success');
    await offering(session, usual);
    const { visit, confirm } = await shop();
    const left = await visit('/portal/buy', await confirm(2_000));
    const [, page = ''] = /class="button main" href="([^"]+)"/.exec(left.text) ?? [];
    expect(page).toMatch(/\/sandbox\/confirmations\//);
    expect(left.text).toContain(`content="0;url=${page}"`);
    const home = await visit('/portal');
    expect(home.text).toContain(`href="${page}">Confirm the payment</a>`);
    expect(home.text).toContain('href="/portal/buy">Buy prepaid credit');
    expect((await visit('/portal/buy')).text).toContain('name="amount"');
  });

  test('adds a first payment method, and returns to the confirmation of the purchase', async ({
    session,
    shop,
  }) => {
    const { id } = await aBuyer(session, null);
    await offering(session, usual);
    const { visit } = await shop();
    const poor = await visit('/portal/buy?amount=2000');
    expect(() => formIn(poor.text, 'buy')).toThrow('no form');
    const left = await visit('/portal/add', formIn(poor.text, 'add'));
    const [, page = ''] = /class="button main" href="([^"]+)"/.exec(left.text) ?? [];
    const confirmed = { token: 'sandbox_success', type: 'card', action: 'confirm' };
    const done = await visit(new URL(page).pathname, confirmed);
    const [, back = ''] = /url=([^"]+)"/.exec(done.text) ?? [];
    const returned = await visit(back.replaceAll('&#38;', '&'));
    expect(returned).toMatchObject({ location: '/portal/buy?amount=2000&done=added' });
    expect(await creditsOf(session, id)).toEqual([]);
    const charge = await visit(returned.location ?? '');
    expect(charge.text).toContain('The payment method is added.');
    await visit('/portal/buy', formIn(charge.text, 'buy'));
    expect(await creditsOf(session, id)).toEqual(['purchase 2000: 2000 left']);
  });

  test('uses its credit balance first, and needs no payment method for a purchase that it covers', async ({
    session,
    shop,
  }) => {
    const { id } = await aBuyer(session, null);
    await offering(session, usual);
    const { em } = fresh(session);
    await em.execute(`update customer set credit_balance = 2000, currency = 'USD' where id = ?`, [
      id,
    ]);
    const { visit, confirm } = await shop();
    const part = await visit('/portal/buy?amount=5000');
    expect(part.text).toContain('<dd>-$20.00</dd>');
    expect(part.text).toContain('<dd class="sum">$30.00</dd>');
    const bought = await visit('/portal/buy', await confirm(2_000));
    expect(bought).toMatchObject({ location: '/portal?done=bought' });
  });
});

describe('a purchase that is not paid', () => {
  const account = { holder: null, iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };

  test('leads a customer with sent invoices to the transfer, and is the only one', async ({
    session,
    shop,
  }) => {
    const { id } = await aBuyer(session, null);
    const customer = { collectionMethod: 'send_invoice', daysUntilDue: 14 } as const;
    await updateCustomer(fresh(session), { externalId: 'ada', customer });
    await updateOrganization(fresh(session), { organization: { bankAccount: account } });
    await offering(session, usual);
    const { visit, confirm } = await shop();
    const second = await confirm(5_000);
    const charge = await visit('/portal/buy?amount=2000');
    expect(charge.text).toContain('You get an invoice');
    const ordered = await visit('/portal/buy', formIn(charge.text, 'buy'));
    expect(ordered).toMatchObject({ location: '/portal/buy?done=ordered' });
    const [invoice] = await fresh(session).em.find(Invoice, { customer: id });
    const unpaid = await visit(ordered.location ?? '');
    for (const words of [
      'Your purchase is not paid yet',
      '$20.00 to pay, due on',
      'DE89 3704 0044 0532 0130 00',
      'COBADEFFXXX',
      `<dd>${invoice?.invoiceNumber}</dd>`,
      `/documents/invoice/${invoice?.id}`,
    ]) {
      expect(unpaid.text).toContain(words);
    }
    const home = await visit('/portal');
    expect(home.text).toContain('href="/portal/buy">How to pay</a>');
    expect(home.text).not.toContain('>Buy prepaid credit</a>');
    for (const answer of [
      await visit('/portal/buy?amount=5000'),
      await visit('/portal/buy', second),
    ])
      expect(answer.text).toContain('Your purchase is not paid yet');
    expect(await creditsOf(session, id)).toEqual(['purchase 2000: pending']);
    // The open purchase stays payable when nothing is for sale any more.
    await close(session);
    expect((await visit('/portal/buy')).text).toContain('DE89 3704');
  });

  test('is paid with a payment method on its page', async ({ session, shop }) => {
    const { id } = await aBuyer(session);
    const customer = { collectionMethod: 'send_invoice' } as const;
    await updateCustomer(fresh(session), { externalId: 'ada', customer });
    await offering(session, usual);
    const { visit, confirm } = await shop();
    await visit('/portal/buy', await confirm(2_000));
    const unpaid = await visit('/portal/buy');
    expect(unpaid.text).not.toContain('IBAN');
    const paid = await visit('/portal/pay', formIn(unpaid.text, 'pay'));
    expect(paid).toMatchObject({ location: '/portal?done=pay' });
    expect(await creditsOf(session, id)).toEqual(['purchase 2000: 2000 left']);
    expect((await visit('/portal/buy')).text).toContain('name="amount"');
  });

  test('is shown while its payment is processed', async ({ session, shop }) => {
    await aBuyer(session, 'sandbox_processing_success');
    await offering(session, usual);
    const { visit, confirm } = await shop();
    const ordered = await visit('/portal/buy', await confirm(2_000));
    expect(ordered).toMatchObject({ location: '/portal/buy?done=ordered' });
    const unpaid = await visit('/portal/buy');
    expect(unpaid.text).toContain('A payment is being processed.');
    expect(() => formIn(unpaid.text, 'pay')).toThrow('no form');
  });
});

describe('the portal sells nothing', () => {
  test('where the organization does not permit it, or has no offer in the currency', async ({
    session,
    shop,
  }) => {
    const { id } = await aBuyer(session);
    await offering(session, usual);
    const { visit, confirm } = await shop();
    const form = await confirm(2_000);
    const nothing = { status: 303, location: '/portal?done=not-for-sale' };
    for (const change of [
      () => close(session),
      () => offering(session, { currency: 'EUR', amounts: [2_000] }),
    ]) {
      await change();
      expect((await visit('/portal')).text).not.toContain('/portal/buy');
      for (const path of ['/portal/buy', '/portal/buy?amount=2000'])
        expect(await visit(path)).toMatchObject(nothing);
    }
    await close(session);
    expect(await visit('/portal/buy', form)).toMatchObject(nothing);
    expect((await visit('/portal?done=not-for-sale')).text).toContain('Nothing was bought.');
    expect(await creditsOf(session, id)).toEqual([]);
  });

  test('to a form of another session, another site or another customer', async ({
    session,
    shop,
    visitor,
    api,
  }) => {
    const { id } = await aBuyer(session);
    const eve = await aCustomer(session, { externalId: 'eve' });
    const theirs = await aPaymentMethod(session, eve.id, { default: true });
    await offering(session, usual);
    const { visit, confirm } = await shop();
    const form = await confirm(2_000);
    const stranger = visitor();
    await stranger(await linkOf(api, 'eve'));
    expect(await stranger('/portal/buy', form)).toMatchObject({ status: 403 });
    expect(await visitor()('/portal/buy', form)).toMatchObject({ status: 403 });
    const foreign = { origin: 'https://evil.example' };
    expect(await visit('/portal/buy', form, foreign)).toMatchObject({ status: 403 });
    const borrowed = await visit('/portal/buy', { ...form, method: theirs.id });
    expect(borrowed.status).toBe(404);
    expect(borrowed.text).toContain('This is not possible:');
    for (const who of [id, eve.id]) expect(await creditsOf(session, who)).toEqual([]);
    expect(await chargesOf(session)).toEqual([]);
  });

  test('with a token that may not pay', async ({ session, visitor }) => {
    const { id } = await aBuyer(session);
    await offering(session, usual);
    const scopes: ('read' | 'subscriptions_write')[] = ['subscriptions_write'];
    const { token } = await createCustomerToken(fresh(session), { customer: id, scopes });
    const visit = visitor();
    const cookie = { cookie: `tollgate_portal=${token}` };
    expect((await visit('/portal', undefined, cookie)).text).not.toContain('/portal/buy');
    expect(await visit('/portal/buy', undefined, cookie)).toMatchObject({ status: 303 });
  });
});
