import type { Fields } from '../source/known-fields.ts';

const record = 'object created livemode metadata deleted updated';

export const productFields: Fields = {
  read: 'id name description active default_price tax_code',
  free: {
    'the record itself': record,
    'texts and pictures for buyers':
      'images marketing_features features caption attributes url unit_label statement_descriptor',
    'delivery of goods': 'package_dimensions shippable',
    'goods or services': 'type',
  },
  within: {
    tax_details: {
      read: '',
      free: { 'the same as the field of the product': 'tax_code' },
      reported: { performance_location: 'taxes are those of this place there' },
    },
  },
};

const tierFields: Fields = {
  read: 'up_to unit_amount unit_amount_decimal flat_amount flat_amount_decimal',
};

/** The amounts of a price in one currency. */
const amounts = 'unit_amount unit_amount_decimal custom_unit_amount tax_behavior';

export const priceFields: Fields = {
  read: `id product nickname active currency type billing_scheme tiers_mode ${amounts}`,
  free: {
    'the record itself': record,
    'another name of it': 'lookup_key',
  },
  within: {
    tiers: tierFields,
    currency_options: { read: '', each: { read: amounts, within: { tiers: tierFields } } },
    transform_quantity: { read: 'divide_by round' },
    recurring: {
      read: 'interval interval_count trial_period_days usage_type meter aggregate_usage',
    },
  },
};

export const couponFields: Fields = {
  read: 'id name valid percent_off amount_off currency duration duration_in_months max_redemptions times_redeemed redeem_by',
  free: { 'the record itself': record },
  within: {
    applies_to: { read: 'products' },
    currency_options: { read: '', each: { read: 'amount_off' } },
  },
};

export const discountFields: Fields = {
  read: 'id coupon start end',
  free: {
    'the record itself': record,
    'how it came about, and where it stands':
      'checkout_session customer customer_account invoice invoice_item promotion_code subscription subscription_item',
  },
  within: { source: { read: 'coupon', free: { 'always a coupon': 'type' } } },
};

export const promotionFields: Fields = {
  read: 'id code active coupon customer expires_at max_redemptions times_redeemed',
  free: { 'the record itself': `${record} customer_account` },
  within: {
    promotion: { read: 'coupon', free: { 'always a coupon': 'type' } },
    restrictions: {
      read: '',
      reported: {
        first_time_transaction: 'it is for first payments only there: check who redeems it',
        minimum_amount: 'it is for larger payments only there: check who redeems it',
      },
      free: { 'of a least amount': 'minimum_amount_currency' },
      within: {
        currency_options: {
          read: '',
          each: {
            read: '',
            reported: { minimum_amount: 'it is for larger payments only there' },
          },
        },
      },
    },
  },
};

export const meterFields: Fields = {
  read: 'id display_name',
  free: {
    'the record itself': `${record} status status_transitions`,
    'how its events are named and read':
      'event_name event_time_window customer_mapping value_settings',
  },
  within: { default_aggregation: { read: 'formula' } },
};

export const taxRateFields: Fields = {
  read: 'percentage inclusive display_name tax_type country state',
  free: {
    'the record itself': `id active ${record}`,
    'texts of the rate': 'description jurisdiction jurisdiction_level',
    'the rate of a present document': 'effective_percentage',
  },
  reported: {
    flat_amount: 'it is a fixed amount of tax',
    rate_type: 'it is no percentage',
  },
  usual: { rate_type: ['percentage'] },
};
