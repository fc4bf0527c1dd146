import type { Fields } from '../source/known-fields.ts';
import { discountFields } from './catalog-fields.ts';

const record = 'object created livemode';

export const customerFields: Fields = {
  read: 'id email name description business_name individual_name phone deleted balance invoice_credit_balance currency default_source metadata preferred_locales tax_exempt',
  free: {
    'the record itself': `${record} test_clock customer_account`,
    'numbers of documents there': 'invoice_prefix next_invoice_sequence',
    'the state of invoices there, which stay there': 'delinquent',
    'read from files of their own': 'sources subscriptions',
    'the basis of automatic taxes, which subscriptions report': 'tax shipping',
  },
  within: {
    address: { read: 'line1 line2 city state postal_code country' },
    discount: discountFields,
    tax_ids: {
      read: '',
      free: { 'a list': 'object url has_more total_count' },
      within: {
        data: {
          read: 'type value',
          free: {
            'the record itself': `id ${record} customer customer_account owner`,
            'how a tax authority knows it': 'country verification',
          },
        },
      },
    },
    cash_balance: {
      read: '',
      free: { 'the record itself': `${record} customer customer_account settings` },
      reported: { available: 'it is money of the customer there that pays its invoices' },
    },
    invoice_settings: {
      read: 'default_payment_method',
      noted: {
        custom_fields: 'documents show it there',
        footer: 'documents show it there',
        rendering_options: 'documents are written so there',
      },
    },
  },
};

export const methodFields: Fields = {
  read: 'id customer type card',
  free: {
    'the record itself': `${record} metadata customer_account`,
    'how a checkout shows it, and checks of fraud': 'allow_redisplay radar_options billing_details',
    'details of one type, under which it is charged in the same way':
      'acss_debit affirm afterpay_clearpay alipay alma amazon_pay au_becs_debit bacs_debit bancontact billie bizum blik boleto card_present cashapp crypto custom customer_balance eps fpx giropay grabpay ideal interac_present kakao_pay klarna konbini kr_card link mb_way mobilepay multibanco naver_pay nz_bank_account oxxo p24 pay_by_bank payco paynow paypal paypay payto pix promptpay revolut_pay samsung_pay satispay scalapay sepa_debit sequra sofort sunbit swish twint upi us_bank_account wechat_pay zip',
  },
};
