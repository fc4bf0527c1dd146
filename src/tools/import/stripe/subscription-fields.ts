import type { Fields } from '../source/known-fields.ts';
import { discountFields, taxRateFields } from './catalog-fields.ts';

const record = 'object created livemode deleted';

/** Fields by which a platform takes a part of the money. */
const platform = {
  application_fee_percent: 'a part of each payment goes to a platform there',
  transfer_data: 'payments go to another account there',
  on_behalf_of: 'it is charged on behalf of another account there',
};

/** Settings of invoices. */
const invoiceSettings: Fields = {
  read: 'days_until_due',
  noted: {
    account_tax_ids: 'documents show other tax ids of the seller there',
    custom_fields: 'documents show it there',
    description: 'documents show it there',
    footer: 'documents show it there',
  },
  within: {
    issuer: {
      read: '',
      reported: {
        account: 'another account issues the invoices there',
        type: 'another account issues the invoices there',
      },
      usual: { type: ['self'] },
    },
  },
};

const automaticTax: Fields = {
  read: 'enabled',
  free: { 'where it is off': 'disabled_reason' },
  within: {
    liability: {
      read: '',
      reported: {
        account: 'another account owes the taxes there',
        type: 'another account owes the taxes there',
      },
      usual: { type: ['self'] },
    },
  },
};

const thresholds: Fields = {
  read: '',
  reported: {
    amount_gte: 'an invoice is written there when so much is unbilled: set billAt here',
    usage_gte: 'an invoice is written there when so much is used',
    reset_billing_cycle_anchor: 'such an invoice begins a new period there',
  },
};

export const itemFields: Fields = {
  read: 'price plan quantity current_period_start current_period_end billed_until',
  free: { 'the record itself': `id ${record} metadata subscription` },
  reported: {
    current_trial: 'the item is in a trial of an offer there',
    trial: 'the item is in a trial there',
  },
  within: {
    discounts: discountFields,
    tax_rates: taxRateFields,
    billing_thresholds: thresholds,
  },
};

export const subscriptionFields: Fields = {
  read: 'id customer status schedule billing_cycle_anchor current_period_start current_period_end trial_start trial_end cancel_at_period_end cancel_at collection_method days_until_due default_payment_method default_source currency metadata',
  free: {
    'the record itself': `${record} application test_clock customer_account start_date description`,
    'the state, which the status tells': 'canceled_at ended_at cancellation_details status_details',
    'objects there that stay there': 'latest_invoice pending_setup_intent',
    'the same as the only item': 'plan quantity',
    'which payment methods a page offers': 'payment_settings',
    'prorations, which follow the rules here': 'billing_mode',
    'the day of the periods, which the period shows': 'billing_cycle_anchor_config',
    'follows from pending_invoice_item_interval': 'next_pending_invoice_item_invoice',
  },
  reported: {
    ...platform,
    pending_invoice_item_interval: 'pending items are billed within periods there',
    pending_update: 'a change waits for its payment there: finish it there first',
    billing_schedules: 'items are billed for several periods in advance there',
    presentment_details: 'the customer pays in another currency there',
    tax_percent: 'it is the rate of a tax there',
  },
  within: {
    discount: discountFields,
    discounts: discountFields,
    default_tax_rates: taxRateFields,
    automatic_tax: automaticTax,
    billing_thresholds: thresholds,
    invoice_settings: invoiceSettings,
    managed_payments: {
      read: '',
      reported: { enabled: 'the seller is another company there, which owes the taxes' },
    },
    pause_collection: { read: 'behavior resumes_at' },
    trial_settings: {
      read: '',
      within: { end_behavior: { read: 'missing_payment_method' } },
    },
    items: {
      read: '',
      free: { 'a list': 'object url has_more total_count' },
      within: { data: itemFields },
    },
  },
};

const phaseDiscount: Fields = { read: 'coupon discount promotion_code' };

export const scheduleFields: Fields = {
  read: 'id status subscription end_behavior current_phase',
  free: {
    'the record itself': `${record} metadata application test_clock customer customer_account`,
    'the state, which the status tells':
      'canceled_at completed_at released_at released_subscription',
    'prorations, which follow the rules here': 'billing_mode',
  },
  reported: {
    pause_schedules: 'a pause is planned there',
    renewal_interval: 'it repeats there',
  },
  within: {
    default_settings: {
      read: 'collection_method default_payment_method',
      free: {
        'a text of documents': 'description',
      },
      reported: { ...platform, billing_cycle_anchor: 'a phase begins a period there' },
      usual: { billing_cycle_anchor: ['automatic'] },
      within: {
        automatic_tax: automaticTax,
        billing_thresholds: thresholds,
        invoice_settings: invoiceSettings,
      },
    },
    phases: {
      read: 'start_date end_date currency collection_method default_payment_method trial trial_end proration_behavior billing_cycle_anchor',
      free: { 'the record itself': 'metadata description' },
      reported: {
        ...platform,
        add_invoice_items: 'its first invoice has more items there: add one-off charges here',
        default_tax_rates: 'the phase has taxes of its own there',
        coupon: 'the phase has a coupon there',
        tax_percent: 'it is the rate of a tax there',
      },
      within: {
        automatic_tax: automaticTax,
        billing_thresholds: thresholds,
        invoice_settings: invoiceSettings,
        discounts: phaseDiscount,
        items: {
          read: 'price plan quantity',
          free: { 'the record itself': `id ${record} metadata` },
          reported: {
            tax_rates: 'the item has taxes of its own there',
            trial: 'the item is in a trial there',
          },
          within: { discounts: phaseDiscount, billing_thresholds: thresholds },
        },
      },
    },
  },
};
