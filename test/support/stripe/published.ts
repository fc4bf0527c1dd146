import type { Parameters } from './form.ts';
import { invalidRequest } from './refusal.ts';

/** The parameters that the published interface has for each request that moves or stores something. */
const published: Readonly<Record<string, string>> = {
  'POST /v1/customers':
    'address balance business_name cash_balance description email expand individual_name invoice_prefix invoice_settings metadata name next_invoice_sequence payment_method phone preferred_locales shipping source tax tax_exempt tax_id_data test_clock validate',
  'POST /v1/customers/:id':
    'address balance business_name cash_balance default_source description email expand individual_name invoice_prefix invoice_settings metadata name next_invoice_sequence phone preferred_locales shipping source tax tax_exempt validate',
  'POST /v1/payment_intents':
    'amount currency allowed_payment_method_types amount_details application_fee_amount automatic_payment_methods capture_method confirm confirmation_method confirmation_token customer customer_account description error_on_requires_action excluded_payment_method_types expand hooks mandate mandate_data metadata off_session on_behalf_of payment_details payment_method payment_method_configuration payment_method_data payment_method_options radar_options receipt_email return_url setup_future_usage shipping statement_descriptor statement_descriptor_suffix transfer_data transfer_group use_stripe_sdk',
  'POST /v1/payment_intents/:id/confirm':
    'allowed_payment_method_types amount_details amount_to_confirm capture_method confirmation_token error_on_requires_action excluded_payment_method_types expand hooks mandate mandate_data off_session payment_details payment_method payment_method_data payment_method_options radar_options receipt_email return_url setup_future_usage shipping use_stripe_sdk',
  'POST /v1/payment_intents/:id/cancel': 'cancellation_reason expand',
  'POST /v1/refunds':
    'amount charge currency customer expand instructions_email metadata origin payment_intent reason refund_application_fee reverse_transfer',
  'POST /v1/checkout/sessions':
    'adaptive_pricing after_expiration allow_promotion_codes allowed_payment_method_types automatic_tax billing_address_collection branding_settings cancel_url client_reference_id consent_collection currency custom_fields custom_text customer customer_account customer_creation customer_email customer_update discounts excluded_payment_method_types expand expires_at integration_identifier invoice_creation line_items locale managed_payments metadata mode name_collection optional_items origin_context payment_intent_data payment_method_collection payment_method_configuration payment_method_data payment_method_options permissions phone_number_collection redirect_on_completion return_url saved_payment_method_options setup_intent_data shipping_address_collection shipping_options submit_type subscription_data success_url tax_id_collection ui_mode wallet_options',
  'POST /v1/checkout/sessions/:id/expire': 'expand',
  'POST /v1/webhook_endpoints':
    'enabled_events url api_version connect description expand metadata',
};

const nested: Readonly<Record<string, string>> = {
  payment_intent_data:
    'application_fee_amount capture_method description metadata on_behalf_of receipt_email setup_future_usage shipping statement_descriptor statement_descriptor_suffix transfer_data transfer_group',
  setup_intent_data: 'description metadata on_behalf_of',
};

const required: Readonly<Record<string, string>> = {
  'POST /v1/payment_intents': 'amount currency',
  'POST /v1/webhook_endpoints': 'enabled_events url',
  'POST /v1/checkout/sessions': 'mode',
};

/** Refuses parameters as Stripe does. A refusal here is not remembered under the idempotency key. */
export function checkParameters(request: string, params: Parameters) {
  if ('payment_method_types' in params) {
    throw invalidRequest('`payment_method_types` is not supported in this version', {
      code: 'payment_method_types_no_longer_supported',
      param: 'payment_method_types',
    });
  }
  refuseUnknown(published[request], params, '');
  for (const [name, known] of Object.entries(nested)) {
    if (typeof params[name] === 'object') refuseUnknown(known, params[name] as Parameters, name);
  }
  for (const name of required[request]?.split(' ') ?? []) {
    if (params[name] === undefined) {
      throw invalidRequest(`Missing required param: ${name}.`, {
        code: 'parameter_missing',
        param: name,
      });
    }
  }
  const { metadata } = params;
  if (typeof metadata === 'object') {
    const isTooMuch = Object.entries(metadata).some(
      ([key, value]) => key.length > 40 || String(value).length > 500,
    );
    if (isTooMuch) throw invalidRequest('Metadata are too long', { param: 'metadata' });
  }
}

function refuseUnknown(known: string | undefined, params: Parameters, prefix: string) {
  if (known === undefined) return;
  const names = new Set(known.split(' '));
  const unknown = Object.keys(params).find((name) => !names.has(name));
  if (unknown === undefined) return;
  const param = prefix ? `${prefix}[${unknown}]` : unknown;
  throw invalidRequest(`Received unknown parameter: ${param}`, {
    code: 'parameter_unknown',
    param,
  });
}
