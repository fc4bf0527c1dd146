import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { checkoutPage } from '#server/checkout/checkout-page.ts';
import { checkoutWordingFor } from '#server/checkout/texts/checkout-wording.ts';
import { switchPage } from '#server/mail-switch/switch-page.ts';
import { address, html } from '#server/pages/html.ts';
import { amountsPage } from '#server/portal/amounts-page.ts';
import { plansPage, previewPage } from '#server/portal/change-page.ts';
import { homePage } from '#server/portal/home.ts';
import { leavePage } from '#server/portal/leave-page.ts';
import { problemPage } from '#server/portal/page.ts';
import { purchasePage } from '#server/portal/purchase-page.ts';
import type { Billing, Method, Plan, Preview, Subscription } from '#server/portal/shapes.ts';
import { usualWording } from '#server/portal/texts/wording.ts';
import { unpaidPage } from '#server/portal/unpaid-page.ts';
import { effort } from '../../support/effort.ts';

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)",
  '</title><svg onload=alert(1)>',
  '&lt;b&gt;',
  '</style>',
  '-->',
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'data:text/html,<script>',
  '//evil.example',
  '/\\evil.example',
];
const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme', maxLength: 40 }));

/** The texts of one page, between marks that show where each begins and ends. */
const marked = (value: string) => `⟦${value}⟧`;

function pagesWith(value: string, url: string) {
  const data = marked(value);
  const brand = { name: data, logo: null };
  const trial = { amountAfterTrial: 100, trialEnd: 1 };
  const item = { id: data, name: data, quantity: 1, amount: 100, priceId: 'price_1', ...trial };
  const subscription = {
    ...{ id: data, name: data, status: data, currency: 'USD', interval: data, intervalCount: 2 },
    ...{
      currentBillingPeriodEnd: 1,
      trialEnd: null,
      cancelScheduledAt: null,
      pauseScheduledAt: null,
      resumesAt: null,
      isFreePlan: false,
    },
    ...{ renews: true, nextStep: 'pay_invoice', paymentActionUrl: url, scheduledAdjustmentAt: 1 },
    ...{ price: { id: 'price_1' }, pricedItems: [item] },
  } as Subscription;
  const method = (brandName: string | null): Method => ({
    ...{ id: data, type: data, default: false, refusedAt: 1 },
    paymentMethodData: { brand: brandName, last4: data },
  });
  const invoice = {
    ...{ id: data, invoiceNumber: data, invoiceDate: 1, dueDate: 1, status: 'open' },
    ...{ currency: 'USD', total: 100, amountDue: 100, pdfURL: url, receiptPdfURL: url },
    isBeingReplaced: false,
    eInvoice: { ublURL: 'https://example.com/u', facturxURL: null },
    consolidatedInvoice: { id: data, invoiceNumber: data, pdfURL: url, receiptPdfURL: url },
  };
  const order = {
    ...{ id: data, status: 'pending', source: data, boughtByCustomer: true },
    ...{ currency: 'USD', amount: 5 },
    invoice: { ...invoice, collectionMethod: 'send_invoice', paymentActionUrl: url },
  };
  const offer = { currency: 'USD', amounts: [5], minimum: 1, maximum: 9, validDays: 2 };
  const cursors = { startCursor: data, endCursor: data };
  const billing: Billing = {
    mayPause: true,
    optionalMails: ['alert', 'card_expiring'],
    seller: { ...brand, bankAccount: { holder: data, iban: data, bic: data } },
    customer: {
      ...{ id: data, name: data, email: data, currency: 'USD', creditBalance: 5 },
      ...{ prepaidBalance: 0, collectionMethod: 'charge_automatically' },
      mailsOff: ['alert'],
      livemode: false,
      usageMeterBalances: [
        { name: data, used: 3, granted: 2, overage: 1, rolledOver: 3, runsOutAt: 1 },
      ],
      resourceUsages: [{ resource: { name: data }, capacity: 3, claimed: 1, reserved: 1 }],
    },
    subscriptions: [subscription],
    paymentMethods: [method(data), method(null)],
    alerts: [
      {
        ...{ kind: 'usage', threshold: 5, percentages: [50], hardLimit: true, name: data },
        ...{ usageMeter: { name: data }, subscription: null, currency: 'USD' },
        crossings: { nodes: [] },
      },
    ],
    prepaidCredits: [
      { source: 'purchase', currency: 'USD', amount: 5, remaining: 3, priority: 0, expiresAt: 1 },
    ],
    prepaidOffer: offer,
    orders: [order],
    invoices: {
      nodes: [invoice],
      pageInfo: { hasNextPage: true, hasPreviousPage: true, ...cursors },
    },
    documents: {
      nodes: [{ ...invoice, id: 'document' }],
      pageInfo: { hasNextPage: true, hasPreviousPage: true, ...cursors },
    },
    due: [
      { ...invoice, consolidatedInvoiceId: null },
      { ...invoice, consolidatedInvoiceId: 'document' },
    ],
  };
  const plan: Plan = {
    ...{ id: data, name: data, amount: 1, currency: 'USD', intervalUnit: data },
    ...{ model: 'graduated', unitPrice: 1, tiers: [{ upTo: null, unitPrice: 0.5, flatFee: 1 }] },
    ...{
      intervalCount: 1,
      product: { name: `${data}!`, description: data, default: false, addOn: false },
    },
  };
  const preview = (canAdjust: boolean): Preview => ({
    ...{ canAdjust, reason: data, amountDue: 5, prorationAmount: 5, creditAmount: 5 },
    ...{ currentPlanTotal: 5, newPlanTotal: 5, resolvedTiming: 'immediately', effectiveDate: 1 },
    paymentMethod: { type: data, brand: data, last4: data },
  });
  const forms = {
    ...{ root: '/portal', base: '/portal', token: 'token', isFramed: false },
    wording: usualWording,
    may: () => true,
  };
  const shown = { ...forms, billing, subscription };
  const checkout = (status: string, type: string) =>
    checkoutPage({
      checkout: {
        ...{ id: 'chckt_session_1', type, livemode: false, problem: data, cancelUrl: url },
        successUrl: null,
      } as unknown as CheckoutSession,
      status: status as CheckoutSession['status'],
      seller: data,
      summary: {
        lines: [{ description: data, quantity: 3, amount: 300 }],
        priced: [{ name: data, unitPrice: 100, pricing: { model: 'flat' } }],
        currency: 'USD',
        discount: { code: data, size: data, amount: 1 },
        amounts: { subtotal: 299, taxAmount: 1, total: 300 },
        credit: 0,
        schedule: [{ count: null, amounts: { subtotal: 299, taxAmount: 1, total: 300 } }],
        tax: { taxType: data, ratePercentage: data, inclusive: false },
        interval: null,
        trialDays: 0,
      } as never,
      isSandbox: true,
      actionUrl: url,
      ending: data,
      values: { email: data, name: data, line1: data, city: data, token: data },
      problems: { email: data, name: data },
      problem: html`${data}`,
      isChanged: true,
      takesCodes: true,
      code: { code: data, obstacle: 'expired' },
      knownTaxIds: [{ type: 'other', value: data }],
      wording: checkoutWordingFor(new Request('https://localhost')),
    });
  const typed = (isReadable: boolean) => ({ field: 'own', typed: data, isReadable }) as const;
  const problem = { text: 'notBought', reason: data, status: 402 } as const;
  return [
    homePage({ ...forms, billing, done: 'doneAdded', problem: data }),
    homePage({ ...forms, isFramed: true, billing, problem: data }),
    plansPage({ ...shown, plans: [plan] }),
    previewPage({ ...shown, plan, preview: preview(true) }),
    previewPage({ ...shown, plan, preview: preview(false) }),
    leavePage(billing, forms, 'https://processor.example/', 'method'),
    leavePage(billing, { ...forms, isFramed: true }, 'https://processor.example/', 'payment'),
    amountsPage({ ...forms, billing, offer, refused: typed(true) }),
    amountsPage({ ...forms, billing, offer, refused: typed(false) }),
    purchasePage({ ...forms, billing, offer, amount: 9, problem }),
    unpaidPage({ ...forms, billing, order }),
    switchPage({ ...forms, seller: brand, livemode: false, kind: 'alert', isOff: false }),
    problemPage(usualWording, data, html`${data}`, '/portal'),
    ...['open', 'pending', 'failed', 'expired', 'succeeded'].map((each) =>
      checkout(each, 'product'),
    ),
    checkout('open', 'activate_subscription'),
  ];
}

test('each page shows any text of the data as text, and links to no other scheme', () => {
  const usual = pagesWith('usual', 'https://shop.example/').map((page) => tagsOf(page));
  fc.assert(
    fc.property(text, (value) => {
      const pages = pagesWith(value, value);
      for (const [index, page] of pages.entries()) {
        const parts = [...page.matchAll(/⟦(.*?)⟧/gs)].map(([, part = '']) => part);
        expect(parts.length).toBeGreaterThan(0);
        for (const part of parts) expect(part).toMatch(/^(?:[^<>"'&]|&#\d+;)*$/);
        // The text adds no element; only a link with a refused address is absent.
        const added = tagsOf(page).filter((tag) => !usual[index]?.includes(tag));
        expect(added).toEqual([]);
        for (const [, href = ''] of page.matchAll(/(?:href|action|src)="([^"]*)"/g)) {
          expect(href).toMatch(/^(?:|https?:\/\/.*|\/(?![/\\]).*)$/s);
        }
      }
    }),
    { numRuns: 100 * effort },
  );
});

test('an address of another scheme, and one that a browser reads as another host, is no link', () => {
  for (const bad of [...hostile, 'java\nscript:alert(1)', 'http:evil', 'https://a\\b', '']) {
    expect(address(bad) ?? null, bad).toBeNull();
  }
  for (const good of ['https://shop.example/x?y=1', 'http://localhost:3000/', '/sandbox/pages/1']) {
    expect(address(good)).toBe(good);
  }
});

/** The elements of a page with the names of their attributes, without what they contain. */
const tagsOf = (page: string) =>
  [...page.replace(/"[^"]*"/g, '""').matchAll(/<[^>]*>/g)].map(([tag]) => tag);
