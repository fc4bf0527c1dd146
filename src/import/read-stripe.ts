import { readJsonList } from './read-lists.ts';
import type { Problem, Source, SourceCustomer } from './source.ts';
import { catalogOf, discountsOf } from './stripe-catalog.ts';
import { withSchedules } from './stripe-schedules.ts';
import {
  type StripeCustomer,
  type StripeMethod,
  stripeCoupon,
  stripeCustomer,
  stripeMethod,
  stripePrice,
  stripeProduct,
  stripeSchedule,
  stripeSubscription,
} from './stripe-shapes.ts';
import { subscriptionsOf } from './stripe-subscriptions.ts';

/**
 * Reads the lists of Stripe's API from the files of a folder; a file that is not there has no records. `known` are slugs
 * of prices that exist here. Errors: ImportError.
 */
export async function readStripe(folder: string, known: ReadonlySet<string>): Promise<Source> {
  const [customers, methods, products, prices, coupons, subscriptions, schedules] =
    await Promise.all([
      readJsonList(folder, 'customers.json', 'customer', stripeCustomer),
      readJsonList(folder, 'payment_methods.json', 'payment method', stripeMethod),
      readJsonList(folder, 'products.json', 'product', stripeProduct),
      readJsonList(folder, 'prices.json', 'price', stripePrice),
      readJsonList(folder, 'coupons.json', 'coupon', stripeCoupon),
      readJsonList(folder, 'subscriptions.json', 'subscription', stripeSubscription),
      readJsonList(folder, 'subscription_schedules.json', 'subscription schedule', stripeSchedule),
    ]);
  const catalog = catalogOf(products.records, prices.records);
  const discounts = discountsOf(coupons.records);
  const bought = subscriptionsOf(subscriptions.records, catalog.prices, known);
  const scheduled = withSchedules(bought.subscriptions, schedules.records, {
    prices: catalog.prices,
    known,
  });
  const people = customersOf(customers.records, methods.records);
  return {
    products: catalog.products,
    meters: catalog.meters,
    discounts: discounts.discounts,
    customers: people.customers,
    subscriptions: scheduled.subscriptions,
    problems: [
      ...[customers, methods, products, prices, coupons, subscriptions, schedules].flatMap(
        ({ problems }) => problems,
      ),
      ...catalog.problems,
      ...discounts.problems,
      ...people.problems,
      ...bought.problems,
      ...scheduled.problems,
    ],
  };
}

function customersOf(list: readonly StripeCustomer[], methods: readonly StripeMethod[]) {
  const problems: Problem[] = [];
  const methodsOf = Map.groupBy(methods, ({ customer }) => customer ?? '');
  const customers = list.flatMap((one): SourceCustomer[] => {
    if (one.deleted) return [];
    if (!one.email) {
      const message = 'has no email: documents and reminders need one';
      problems.push({ record: `customer ${one.id}`, message, isLeftOut: true });
      return [];
    }
    const usual = one.invoice_settings?.default_payment_method ?? one.default_source;
    return [
      {
        externalId: one.id,
        name: one.name || one.description || one.email,
        email: one.email,
        billingAddress: one.address?.country ? addressOf(one) : undefined,
        metadata: one.metadata ?? undefined,
        processorReference: one.id,
        paymentMethods: (methodsOf.get(one.id) ?? []).map((method) => methodOf(method, usual)),
      },
    ];
  });
  return { customers, problems };
}

const addressOf = ({ name, email, address }: StripeCustomer) => ({
  name: name ?? null,
  email: email ?? null,
  address: {
    line1: address?.line1 ?? null,
    line2: address?.line2 ?? null,
    city: address?.city ?? null,
    state: address?.state ?? null,
    postal_code: address?.postal_code ?? null,
    country: address?.country ?? null,
  },
});

const methodOf = ({ id, type, card }: StripeMethod, usual: string | null | undefined) => ({
  token: id,
  type,
  data: card
    ? {
        brand: card.brand,
        last4: card.last4,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
      }
    : {},
  isDefault: id === usual,
});
