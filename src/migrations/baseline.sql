-- The schema of version 0.1.0: every table, constraint, index and trigger. Functions have files of their own; those of
-- triggers get their text after this.
create extension if not exists btree_gist;
CREATE FUNCTION search_grams(tenant text, content text) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
begin
  return array_to_tsvector(string_to_array(
    right(tenant, 6) || regexp_replace(translate(content, E'\x01', ' '), '(...)', E'\\1\x01' || right(tenant, 6), 'g') || E'\x01' ||
    right(tenant, 6) || regexp_replace(substr(translate(content, E'\x01', ' '), 2), '(...)', E'\\1\x01' || right(tenant, 6), 'g') || E'\x01' ||
    right(tenant, 6) || regexp_replace(substr(translate(content, E'\x01', ' '), 3), '(...)', E'\\1\x01' || right(tenant, 6), 'g'), E'\x01'));
end $$;
create function add_usage_parts() returns trigger language plpgsql as $$ begin return new; end $$;
create function announce_delivery() returns trigger language plpgsql as $$ begin return new; end $$;
create function announce_events() returns trigger language plpgsql as $$ begin return new; end $$;
create function check_charge() returns trigger language plpgsql as $$ begin return new; end $$;
create function check_credit_note() returns trigger language plpgsql as $$ begin return new; end $$;
create function check_credited() returns trigger language plpgsql as $$ begin return new; end $$;
create function check_member_number() returns trigger language plpgsql as $$ begin return new; end $$;
create function check_remittance() returns trigger language plpgsql as $$ begin return new; end $$;
create function check_taxes() returns trigger language plpgsql as $$ begin return new; end $$;
create function count_invoiced() returns trigger language plpgsql as $$ begin return new; end $$;
create function count_mrr() returns trigger language plpgsql as $$ begin return new; end $$;
create function count_mrr_movement() returns trigger language plpgsql as $$ begin return new; end $$;
create function count_paid() returns trigger language plpgsql as $$ begin return new; end $$;
create function count_resource_claims() returns trigger language plpgsql as $$ begin return new; end $$;
create function count_rows() returns trigger language plpgsql as $$ begin return new; end $$;
create function count_status() returns trigger language plpgsql as $$ begin return new; end $$;
create function count_status_change() returns trigger language plpgsql as $$ begin return new; end $$;
CREATE TABLE resource_claim (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    resource_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    external_id varchar(255),
    claimed_at timestamptz(3) NOT NULL,
    released_at timestamptz(3),
    release_reason text,
    expired_at timestamptz(3),
    metadata jsonb,
    customer_id varchar(255) NOT NULL,
    test_clock_id varchar(255),
    "position" bigint NOT NULL,
    CONSTRAINT resource_claim_release_reason_check CHECK ((release_reason = ANY (ARRAY['released'::text, 'subscription_canceled'::text, 'scheduled_cancellation'::text, 'expired'::text]))),
    CONSTRAINT resource_claim_released CHECK (((released_at IS NULL) = (release_reason IS NULL)))
);
create function fence_organization() returns trigger language plpgsql as $$ begin return new; end $$;
create function forget_digest() returns trigger language plpgsql as $$ begin return new; end $$;
create function forget_redemption() returns trigger language plpgsql as $$ begin return new; end $$;
create function keep_amount_owed() returns trigger language plpgsql as $$ begin return new; end $$;
create function keep_credit_note() returns trigger language plpgsql as $$ begin return new; end $$;
create function keep_dispute() returns trigger language plpgsql as $$ begin return new; end $$;
create function keep_invoice() returns trigger language plpgsql as $$ begin return new; end $$;
create function keep_item_currency() returns trigger language plpgsql as $$ begin return new; end $$;
create function keep_ledger() returns trigger language plpgsql as $$ begin return new; end $$;
create function keep_logo() returns trigger language plpgsql as $$ begin return new; end $$;
create function keep_payment() returns trigger language plpgsql as $$ begin return new; end $$;
create function keep_price_terms() returns trigger language plpgsql as $$ begin return new; end $$;
create function keep_remittance() returns trigger language plpgsql as $$ begin return new; end $$;
create function name_parties() returns trigger language plpgsql as $$ begin return new; end $$;
create function note_usage_event_change() returns trigger language plpgsql as $$ begin return new; end $$;
create function split_origin() returns trigger language plpgsql as $$ begin return new; end $$;
create function uncount_paid() returns trigger language plpgsql as $$ begin return new; end $$;
CREATE TABLE alert (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    kind text NOT NULL,
    threshold numeric NOT NULL,
    customer_id varchar(255) NOT NULL,
    subscription_id varchar(255),
    usage_meter_id varchar(255),
    hard_limit boolean DEFAULT false NOT NULL,
    active boolean DEFAULT true NOT NULL,
    name varchar(255),
    percentages jsonb DEFAULT '[]'::jsonb NOT NULL,
    rule_id varchar(255),
    rule_revision integer,
    CONSTRAINT alert_hard_limit CHECK (((NOT hard_limit) OR (kind = ANY (ARRAY['usage'::text, 'spend'::text, 'credits'::text])))),
    CONSTRAINT alert_kind_check CHECK ((kind = ANY (ARRAY['usage'::text, 'projected_usage'::text, 'spend'::text, 'credits'::text, 'credit_hours'::text, 'credit_expiry'::text]))),
    CONSTRAINT alert_meter CHECK (((kind = 'spend'::text) OR (usage_meter_id IS NOT NULL))),
    CONSTRAINT alert_of_rule CHECK (((rule_id IS NULL) = (rule_revision IS NULL))),
    CONSTRAINT alert_percentages CHECK (((jsonb_typeof(percentages) = 'array'::text) AND (jsonb_array_length(percentages) <= 10) AND (NOT jsonb_path_exists(percentages, '$[*]?((@ < 1 || @ > 1000) || @ == 100)'::jsonpath)) AND ((threshold > (0)::numeric) OR (jsonb_array_length(percentages) = 0)))),
    CONSTRAINT alert_threshold CHECK (((threshold > (0)::numeric) OR ((kind = 'credits'::text) AND (threshold = (0)::numeric))))
);
CREATE TABLE alert_crossing (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    alert_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    usage_meter_id varchar(255),
    billing_period_id varchar(255) NOT NULL,
    kind text NOT NULL,
    threshold numeric NOT NULL,
    value numeric NOT NULL,
    ended_at timestamptz(3),
    percentage integer DEFAULT 100 NOT NULL,
    CONSTRAINT alert_crossing_kind_check CHECK ((kind = ANY (ARRAY['usage'::text, 'projected_usage'::text, 'spend'::text, 'credits'::text, 'credit_hours'::text, 'credit_expiry'::text])))
);
CREATE SEQUENCE alert_crossing_position_seq;
ALTER SEQUENCE alert_crossing_position_seq OWNED BY alert_crossing."position";
CREATE SEQUENCE alert_position_seq;
ALTER SEQUENCE alert_position_seq OWNED BY alert."position";
CREATE TABLE alert_rule (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    kind text NOT NULL,
    threshold numeric NOT NULL,
    percentages jsonb DEFAULT '[]'::jsonb NOT NULL,
    usage_meter_id varchar(255),
    hard_limit boolean DEFAULT false NOT NULL,
    active boolean DEFAULT true NOT NULL,
    name varchar(255),
    revision integer DEFAULT 1 NOT NULL,
    applied_at timestamptz(3),
    settles_at timestamptz(3),
    cursor varchar(255),
    pass_began_at timestamptz(3),
    pass_failures integer DEFAULT 0 NOT NULL,
    failed_passes integer DEFAULT 0 NOT NULL,
    retry_at timestamptz(3),
    lease_holder varchar(255),
    lease_until timestamptz(3),
    failed_customers integer DEFAULT 0 NOT NULL,
    CONSTRAINT alert_rule_hard_limit CHECK (((NOT hard_limit) OR (kind = ANY (ARRAY['usage'::text, 'spend'::text, 'credits'::text])))),
    CONSTRAINT alert_rule_kind_check CHECK ((kind = ANY (ARRAY['usage'::text, 'projected_usage'::text, 'spend'::text, 'credits'::text, 'credit_hours'::text, 'credit_expiry'::text]))),
    CONSTRAINT alert_rule_meter CHECK (((kind = 'spend'::text) OR (usage_meter_id IS NOT NULL))),
    CONSTRAINT alert_rule_percentages CHECK (((jsonb_typeof(percentages) = 'array'::text) AND (jsonb_array_length(percentages) <= 10) AND (NOT jsonb_path_exists(percentages, '$[*]?((@ < 1 || @ > 1000) || @ == 100)'::jsonpath)) AND ((threshold > (0)::numeric) OR (jsonb_array_length(percentages) = 0)))),
    CONSTRAINT alert_rule_threshold CHECK (((threshold > (0)::numeric) OR ((kind = 'credits'::text) AND (threshold = (0)::numeric))))
);
CREATE SEQUENCE alert_rule_position_seq;
ALTER SEQUENCE alert_rule_position_seq OWNED BY alert_rule."position";
CREATE TABLE api_key (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    token varchar(255) NOT NULL,
    type text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    expires_at timestamptz(3),
    idp_hosted_billing_user_id varchar(255),
    hash_text varchar(64) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    "position" bigint NOT NULL,
    scopes jsonb,
    allowed_origins jsonb,
    CONSTRAINT api_key_origins CHECK (((allowed_origins IS NULL) OR (type = 'publishable'::text))),
    CONSTRAINT api_key_scopes CHECK (((scopes IS NULL) OR (type = 'secret'::text))),
    CONSTRAINT api_key_type_check CHECK ((type = ANY (ARRAY['secret'::text, 'publishable'::text])))
);
CREATE SEQUENCE api_key_position_seq;
ALTER SEQUENCE api_key_position_seq OWNED BY api_key."position";
CREATE TABLE billing_period (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    start_date timestamptz(3) NOT NULL,
    end_date timestamptz(3) NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    trial_period boolean DEFAULT false NOT NULL,
    customer_id varchar(255) NOT NULL,
    usage_billed_at timestamptz(3),
    prepaid boolean DEFAULT false NOT NULL,
    proration jsonb,
    carried_amount bigint DEFAULT '0'::bigint NOT NULL,
    carried_with_tax bigint DEFAULT '0'::bigint NOT NULL,
    "position" bigint NOT NULL,
    paid_elsewhere_amount bigint,
    discount jsonb,
    cycle_start timestamptz(3),
    commitment jsonb,
    CONSTRAINT billing_period_cycle CHECK ((cycle_start < start_date)),
    CONSTRAINT billing_period_order CHECK ((start_date <= end_date)),
    CONSTRAINT billing_period_status_check CHECK ((status = ANY (ARRAY['upcoming'::text, 'active'::text, 'completed'::text, 'canceled'::text, 'past_due'::text, 'scheduled_to_cancel'::text])))
);
CREATE TABLE billing_period_item (
    id varchar(255) NOT NULL,
    billing_period_id varchar(255) NOT NULL,
    "position" integer NOT NULL,
    name varchar(255) NOT NULL,
    description text NOT NULL,
    unit_price bigint NOT NULL,
    quantity bigint NOT NULL,
    price_id varchar(255),
    subscription_item_id varchar(255),
    organization_id varchar(255) NOT NULL,
    pricing jsonb,
    CONSTRAINT billing_period_item_most CHECK ((("position" >= 0) AND ("position" < 100))),
    CONSTRAINT billing_period_item_range CHECK (((unit_price >= 0) AND (quantity >= 0)))
);
CREATE SEQUENCE billing_period_position_seq;
ALTER SEQUENCE billing_period_position_seq OWNED BY billing_period."position";
CREATE TABLE billing_run (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    billing_period_id varchar(255) NOT NULL,
    invoice_id varchar(255),
    status text DEFAULT 'scheduled'::text NOT NULL,
    scheduled_for timestamptz(3) NOT NULL,
    attempt_number integer DEFAULT 1 NOT NULL,
    error_details text,
    customer_id varchar(255) NOT NULL,
    test_clock_id varchar(255),
    due_at timestamptz(3),
    adjustment jsonb,
    "position" bigint NOT NULL,
    purpose text DEFAULT 'period'::text NOT NULL,
    awaits_since timestamptz(3),
    fails_since timestamptz(3),
    CONSTRAINT billing_run_adjusts CHECK (((purpose = 'adjustment'::text) = (adjustment IS NOT NULL))),
    CONSTRAINT billing_run_attempt CHECK ((attempt_number > 0)),
    CONSTRAINT billing_run_due_open CHECK (((due_at IS NULL) OR (status = ANY (ARRAY['scheduled'::text, 'started'::text, 'awaiting_payment_confirmation'::text])))),
    CONSTRAINT billing_run_purpose_check CHECK ((purpose = ANY (ARRAY['period'::text, 'adjustment'::text, 'last_usage'::text, 'threshold'::text]))),
    CONSTRAINT billing_run_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'started'::text, 'awaiting_payment_confirmation'::text, 'succeeded'::text, 'failed'::text, 'abandoned'::text, 'aborted'::text])))
);
CREATE SEQUENCE billing_run_position_seq;
ALTER SEQUENCE billing_run_position_seq OWNED BY billing_run."position";
CREATE TABLE book_difference (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    currency varchar(3) NOT NULL,
    difference bigint NOT NULL,
    resolved_at timestamptz(3),
    prepaid_difference bigint DEFAULT '0'::bigint NOT NULL
);
CREATE SEQUENCE book_difference_position_seq;
ALTER SEQUENCE book_difference_position_seq OWNED BY book_difference."position";
CREATE TABLE book_opening (
    customer_id varchar(255) NOT NULL,
    currency varchar(3) NOT NULL,
    amount bigint NOT NULL,
    organization_id varchar(255) NOT NULL
);
CREATE TABLE cause (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) DEFAULT now() NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    actor_type varchar(255) NOT NULL,
    actor_id varchar(255) NOT NULL,
    request_id varchar(255),
    cron_run_id varchar(255),
    subject_id varchar(255),
    operation jsonb,
    idempotency_key varchar(255),
    address varchar(255)
);
CREATE SEQUENCE cause_position_seq;
ALTER SEQUENCE cause_position_seq OWNED BY cause."position";
CREATE TABLE checkout_session (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    type text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    customer_id varchar(255),
    customer_name varchar(255),
    customer_email varchar(255),
    billing_address jsonb,
    price_id varchar(255),
    quantity integer DEFAULT 1 NOT NULL,
    purchase_id varchar(255),
    payment_method_type text,
    discount_id varchar(255),
    success_url text,
    cancel_url text,
    preserve_billing_cycle_anchor boolean DEFAULT false NOT NULL,
    output_metadata jsonb,
    output_name varchar(255),
    target_subscription_id varchar(255),
    automatically_update_subscriptions boolean,
    expires timestamptz(3) NOT NULL,
    subscription_id varchar(255),
    setup_id varchar(255),
    payment_method_id varchar(255),
    problem text,
    CONSTRAINT checkout_session_customer_known CHECK (((customer_id IS NOT NULL) OR (status = ANY (ARRAY['open'::text, 'failed'::text, 'expired'::text])))),
    CONSTRAINT checkout_session_payment_method_type_check CHECK ((payment_method_type = ANY (ARRAY['card'::text, 'link'::text, 'us_bank_account'::text, 'sepa_debit'::text]))),
    CONSTRAINT checkout_session_status_check CHECK ((status = ANY (ARRAY['open'::text, 'pending'::text, 'succeeded'::text, 'failed'::text, 'expired'::text]))),
    CONSTRAINT checkout_session_type_check CHECK ((type = ANY (ARRAY['product'::text, 'purchase'::text, 'add_payment_method'::text, 'activate_subscription'::text]))),
    CONSTRAINT checkout_session_variant CHECK (((quantity > 0) AND
CASE type
    WHEN 'add_payment_method'::text THEN (customer_id IS NOT NULL)
    WHEN 'activate_subscription'::text THEN ((customer_id IS NOT NULL) AND (target_subscription_id IS NOT NULL))
    ELSE ((price_id IS NOT NULL) AND (target_subscription_id IS NULL))
END))
);
CREATE SEQUENCE checkout_session_position_seq;
ALTER SEQUENCE checkout_session_position_seq OWNED BY checkout_session."position";
CREATE TABLE consolidated_invoice (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    invoice_number varchar(255) NOT NULL,
    invoice_date timestamptz(3) NOT NULL,
    due_date timestamptz(3) NOT NULL,
    currency varchar(3) NOT NULL,
    collection_method text NOT NULL,
    scheduled_for timestamptz(3) NOT NULL,
    CONSTRAINT consolidated_invoice_collection_method_check CHECK ((collection_method = ANY (ARRAY['charge_automatically'::text, 'send_invoice'::text])))
);
CREATE SEQUENCE consolidated_invoice_position_seq;
ALTER SEQUENCE consolidated_invoice_position_seq OWNED BY consolidated_invoice."position";
CREATE TABLE credit_note (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    invoice_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    credit_note_number varchar(255) NOT NULL,
    issued_at timestamptz(3) NOT NULL,
    status text NOT NULL,
    settlement text NOT NULL,
    reason text NOT NULL,
    description text,
    currency varchar(3) NOT NULL,
    subtotal bigint NOT NULL,
    tax_amount bigint NOT NULL,
    tax_inclusive boolean NOT NULL,
    total bigint NOT NULL,
    tax_type text,
    tax_country varchar(2),
    tax_state varchar(255),
    tax_rate_percentage varchar(255),
    refunded_amount bigint DEFAULT '0'::bigint NOT NULL,
    credited_amount bigint DEFAULT '0'::bigint NOT NULL,
    written_off_amount bigint DEFAULT '0'::bigint NOT NULL,
    set_off_amount bigint DEFAULT '0'::bigint NOT NULL,
    set_off_invoice_id varchar(255),
    tax_lines jsonb,
    CONSTRAINT credit_note_amounts CHECK (((total > 0) AND (subtotal >= 0) AND (tax_amount >= 0) AND (total = (subtotal +
CASE
    WHEN tax_inclusive THEN (0)::bigint
    ELSE tax_amount
END)))),
    CONSTRAINT credit_note_reason_check CHECK ((reason = ANY (ARRAY['duplicate'::text, 'fraudulent'::text, 'order_change'::text, 'product_unsatisfactory'::text, 'requested_by_customer'::text, 'uncollectible'::text, 'other'::text, 'refund'::text, 'usage_corrected'::text, 'plan_changed'::text, 'period_cut_short'::text, 'dispute_lost'::text]))),
    CONSTRAINT credit_note_set_off_named CHECK (((set_off_amount = 0) OR (set_off_invoice_id IS NOT NULL))),
    CONSTRAINT credit_note_settled CHECK (((refunded_amount >= 0) AND (credited_amount >= 0) AND (written_off_amount >= 0) AND (set_off_amount >= 0) AND
CASE status
    WHEN 'settled'::text THEN ((((refunded_amount + credited_amount) + written_off_amount) + set_off_amount) = total)
    WHEN 'failed'::text THEN ((((refunded_amount + credited_amount) + written_off_amount) + set_off_amount) = 0)
    ELSE ((((refunded_amount + credited_amount) + written_off_amount) + set_off_amount) < total)
END)),
    CONSTRAINT credit_note_settlement_check CHECK ((settlement = ANY (ARRAY['refund'::text, 'credit'::text, 'write_off'::text, 'set_off'::text]))),
    CONSTRAINT credit_note_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'settled'::text, 'failed'::text]))),
    CONSTRAINT credit_note_tax_type_check CHECK ((tax_type = ANY (ARRAY['amusement_tax'::text, 'communications_tax'::text, 'gst'::text, 'hst'::text, 'igst'::text, 'jct'::text, 'lease_tax'::text, 'pst'::text, 'qst'::text, 'rst'::text, 'sales_tax'::text, 'vat'::text, 'none'::text])))
);
CREATE TABLE credit_note_line (
    id varchar(255) NOT NULL,
    credit_note_id varchar(255) NOT NULL,
    "position" integer NOT NULL,
    invoice_line_item_id varchar(255),
    description text NOT NULL,
    quantity numeric,
    amount bigint NOT NULL,
    tax_amount bigint NOT NULL,
    organization_id varchar(255) NOT NULL
);
CREATE SEQUENCE credit_note_position_seq;
ALTER SEQUENCE credit_note_position_seq OWNED BY credit_note."position";
CREATE TABLE cron_run (
    id varchar(255) NOT NULL,
    job varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    outcome text,
    error text,
    alive_at timestamptz(3),
    "position" bigint NOT NULL
);
CREATE SEQUENCE cron_run_position_seq;
ALTER SEQUENCE cron_run_position_seq OWNED BY cron_run."position";
CREATE TABLE customer (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    email varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    invoice_number_base varchar(7) NOT NULL,
    archived boolean DEFAULT false NOT NULL,
    logo_url text,
    icon_url text,
    domain varchar(255),
    external_id varchar(255) NOT NULL,
    user_id varchar(255),
    test_clock_id varchar(255),
    tax_type text,
    tax_rate_percentage varchar(255),
    tax_inclusive boolean DEFAULT false NOT NULL,
    tax_country varchar(2),
    tax_state varchar(255),
    invoice_count integer DEFAULT 0 NOT NULL,
    credit_balance bigint DEFAULT '0'::bigint NOT NULL,
    "position" bigint NOT NULL,
    amount_owed bigint DEFAULT '0'::bigint NOT NULL,
    currency varchar(3),
    collection_method text DEFAULT 'charge_automatically'::text NOT NULL,
    days_until_due integer,
    credit_note_count integer DEFAULT 0 NOT NULL,
    billing_address jsonb,
    tax_ids jsonb DEFAULT '[]'::jsonb NOT NULL,
    metadata jsonb,
    erased_at timestamptz(3),
    language varchar(255),
    tax_exempt text DEFAULT 'none'::text NOT NULL,
    buyer_reference varchar(255),
    prepaid_balance bigint DEFAULT '0'::bigint NOT NULL,
    consolidates_invoices boolean,
    mails_off text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT customer_collection_method_check CHECK ((collection_method = ANY (ARRAY['charge_automatically'::text, 'send_invoice'::text]))),
    CONSTRAINT customer_credit CHECK ((credit_balance >= 0)),
    CONSTRAINT customer_credit_currency CHECK ((((credit_balance + prepaid_balance) = 0) OR (currency IS NOT NULL))),
    CONSTRAINT customer_days_until_due CHECK ((days_until_due >= 0)),
    CONSTRAINT customer_erased CHECK (((erased_at IS NULL) OR archived)),
    CONSTRAINT customer_mails_off CHECK ((mails_off <@ ARRAY['card_expiring'::text, 'alert'::text])),
    CONSTRAINT customer_prepaid CHECK ((prepaid_balance >= 0)),
    CONSTRAINT customer_tax_exempt_check CHECK ((tax_exempt = ANY (ARRAY['none'::text, 'exempt'::text, 'reverse'::text]))),
    CONSTRAINT customer_tax_ids CHECK (((jsonb_typeof(tax_ids) = 'array'::text) AND (jsonb_array_length(tax_ids) <= 5))),
    CONSTRAINT customer_tax_type_check CHECK ((tax_type = ANY (ARRAY['amusement_tax'::text, 'communications_tax'::text, 'gst'::text, 'hst'::text, 'igst'::text, 'jct'::text, 'lease_tax'::text, 'pst'::text, 'qst'::text, 'rst'::text, 'sales_tax'::text, 'vat'::text, 'none'::text])))
);
CREATE SEQUENCE customer_position_seq;
ALTER SEQUENCE customer_position_seq OWNED BY customer."position";
CREATE TABLE customer_token (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    api_key_id varchar(255),
    scopes jsonb NOT NULL,
    allowed_origins jsonb,
    expires_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    CONSTRAINT customer_token_life CHECK ((expires_at > created_at))
);
CREATE SEQUENCE customer_token_position_seq;
ALTER SEQUENCE customer_token_position_seq OWNED BY customer_token."position";
CREATE TABLE discount (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    code varchar(255) NOT NULL,
    amount_type text NOT NULL,
    amount bigint NOT NULL,
    currency varchar(3),
    duration text NOT NULL,
    number_of_payments bigint,
    active boolean DEFAULT true NOT NULL,
    redemption_count bigint DEFAULT '0'::bigint NOT NULL,
    redemption_limit bigint,
    expires_at timestamptz(3),
    CONSTRAINT discount_amount CHECK ((amount > 0)),
    CONSTRAINT discount_amount_type_check CHECK ((amount_type = ANY (ARRAY['percent'::text, 'fixed'::text]))),
    CONSTRAINT discount_code_form CHECK (((code)::text ~ '^[A-Z0-9]{3,20}$'::text)),
    CONSTRAINT discount_currency CHECK ((((amount_type = 'fixed'::text) = (currency IS NOT NULL)) AND ((currency)::text ~ '^[A-Z]{3}$'::text))),
    CONSTRAINT discount_duration_check CHECK ((duration = ANY (ARRAY['once'::text, 'forever'::text, 'number_of_payments'::text]))),
    CONSTRAINT discount_limit CHECK (((redemption_count >= 0) AND (redemption_count <= redemption_limit))),
    CONSTRAINT discount_payments CHECK ((((duration = 'number_of_payments'::text) = (number_of_payments IS NOT NULL)) AND (number_of_payments > 0)))
);
CREATE SEQUENCE discount_position_seq;
ALTER SEQUENCE discount_position_seq OWNED BY discount."position";
CREATE TABLE discount_redemption (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    discount_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    subscription_id varchar(255),
    purchase_id varchar(255),
    name varchar(255) NOT NULL,
    code varchar(255) NOT NULL,
    amount_type text NOT NULL,
    amount bigint NOT NULL,
    currency varchar(3),
    duration text NOT NULL,
    number_of_payments bigint,
    payment_count bigint DEFAULT '0'::bigint NOT NULL,
    released_at timestamptz(3),
    CONSTRAINT discount_redemption_amount_type_check CHECK ((amount_type = ANY (ARRAY['percent'::text, 'fixed'::text]))),
    CONSTRAINT discount_redemption_duration_check CHECK ((duration = ANY (ARRAY['once'::text, 'forever'::text, 'number_of_payments'::text]))),
    CONSTRAINT discount_redemption_payments CHECK (((payment_count >= 0) AND
CASE duration
    WHEN 'once'::text THEN (payment_count <= 1)
    WHEN 'number_of_payments'::text THEN (payment_count <= number_of_payments)
    ELSE true
END)),
    CONSTRAINT discount_redemption_target CHECK ((num_nonnulls(subscription_id, purchase_id) <= 1)),
    CONSTRAINT discount_redemption_terms CHECK (((amount > 0) AND ((amount_type = 'fixed'::text) = (currency IS NOT NULL)) AND ((duration = 'number_of_payments'::text) = (number_of_payments IS NOT NULL))))
);
CREATE SEQUENCE discount_redemption_position_seq;
ALTER SEQUENCE discount_redemption_position_seq OWNED BY discount_redemption."position";
CREATE TABLE dispute (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    payment_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    status text NOT NULL,
    amount bigint NOT NULL,
    currency varchar(3) NOT NULL,
    reason varchar(255),
    withdrawn_amount bigint DEFAULT '0'::bigint NOT NULL,
    fee bigint DEFAULT '0'::bigint NOT NULL,
    evidence_due_at timestamptz(3),
    opened_at timestamptz(3) NOT NULL,
    closed_at timestamptz(3),
    processor_reference varchar(255) NOT NULL,
    CONSTRAINT dispute_closed CHECK (((closed_at IS NOT NULL) = (status = ANY (ARRAY['inquiry_closed'::text, 'won'::text, 'lost'::text, 'prevented'::text])))),
    CONSTRAINT dispute_range CHECK (((amount >= 0) AND (withdrawn_amount >= 0) AND (fee >= 0))),
    CONSTRAINT dispute_status_check CHECK ((status = ANY (ARRAY['inquiry'::text, 'inquiry_closed'::text, 'opened'::text, 'under_review'::text, 'won'::text, 'lost'::text, 'prevented'::text])))
);
CREATE SEQUENCE dispute_position_seq;
ALTER SEQUENCE dispute_position_seq OWNED BY dispute."position";
CREATE SEQUENCE event_position;
CREATE TABLE event (
    id varchar(255) NOT NULL,
    sequence bigint,
    "position" bigint DEFAULT nextval('event_position'::regclass) NOT NULL,
    transaction_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    type varchar(255) NOT NULL,
    object_type varchar(255) NOT NULL,
    object_id varchar(255) NOT NULL,
    object_version integer NOT NULL,
    data jsonb NOT NULL,
    previous_attributes jsonb,
    customer_id varchar(255),
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    occurred_at timestamptz(3) NOT NULL,
    cause_id text,
    recorded_at timestamptz(3) DEFAULT now() NOT NULL,
    actor_type varchar(255),
    actor_id varchar(255),
    cause varchar(255)
);
CREATE TABLE event_head (
    organization_id varchar(255) NOT NULL,
    livemode boolean NOT NULL,
    sequence bigint NOT NULL,
    purged bigint NOT NULL
);
CREATE TABLE feature (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    type text NOT NULL,
    slug varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    description text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    amount bigint,
    usage_meter_id varchar(255),
    renewal_frequency text,
    resource_id varchar(255),
    deactivated_at timestamptz(3),
    version integer DEFAULT 1 NOT NULL,
    "position" bigint NOT NULL,
    rollover jsonb,
    CONSTRAINT feature_renewal_frequency_check CHECK ((renewal_frequency = ANY (ARRAY['once'::text, 'every_billing_period'::text]))),
    CONSTRAINT feature_rollover CHECK (((rollover IS NULL) OR (renewal_frequency = 'every_billing_period'::text))),
    CONSTRAINT feature_type_check CHECK ((type = ANY (ARRAY['toggle'::text, 'usage_credit_grant'::text, 'resource'::text]))),
    CONSTRAINT feature_variant CHECK (
CASE type
    WHEN 'toggle'::text THEN (num_nonnulls(amount, usage_meter_id, renewal_frequency, resource_id) = 0)
    WHEN 'usage_credit_grant'::text THEN ((amount > 0) AND (usage_meter_id IS NOT NULL) AND (renewal_frequency IS NOT NULL) AND (resource_id IS NULL))
    ELSE ((amount > 0) AND (resource_id IS NOT NULL) AND (num_nonnulls(usage_meter_id, renewal_frequency) = 0))
END)
);
CREATE SEQUENCE feature_position_seq;
ALTER SEQUENCE feature_position_seq OWNED BY feature."position";
CREATE TABLE idempotency_key (
    key varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    fingerprint varchar(64) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    progress jsonb,
    answer text,
    organization_id varchar(255) NOT NULL,
    CONSTRAINT idempotency_key_done CHECK (((answer IS NOT NULL) OR (progress IS NOT NULL)))
);
CREATE TABLE invoice (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    purchase_id varchar(255),
    customer_id varchar(255) NOT NULL,
    billing_run_id varchar(255),
    owner_membership_id varchar(255),
    invoice_number varchar(255) NOT NULL,
    invoice_date timestamptz(3) NOT NULL,
    due_date timestamptz(3),
    status text DEFAULT 'draft'::text NOT NULL,
    memo text,
    bank_payment_only boolean DEFAULT false NOT NULL,
    type text NOT NULL,
    currency varchar(3) NOT NULL,
    subtotal bigint DEFAULT '0'::bigint NOT NULL,
    tax_amount bigint DEFAULT '0'::bigint NOT NULL,
    tax_inclusive boolean DEFAULT false NOT NULL,
    total bigint DEFAULT '0'::bigint NOT NULL,
    application_fee bigint,
    tax_type text,
    tax_country varchar(2),
    tax_state varchar(255),
    tax_rate_percentage varchar(255),
    billing_period_id varchar(255),
    subscription_id varchar(255),
    billing_period_start_date timestamptz(3),
    billing_period_end_date timestamptz(3),
    credit_applied bigint DEFAULT '0'::bigint NOT NULL,
    "position" bigint NOT NULL,
    purpose text NOT NULL,
    collection_method text DEFAULT 'charge_automatically'::text NOT NULL,
    sent_at timestamptz(3),
    overdue_at timestamptz(3),
    reminder_count integer DEFAULT 0 NOT NULL,
    follow_up_due_at timestamptz(3),
    test_clock_id varchar(255),
    amount_credited bigint DEFAULT '0'::bigint NOT NULL,
    tax_credited bigint DEFAULT '0'::bigint NOT NULL,
    amount_waived bigint DEFAULT '0'::bigint NOT NULL,
    is_undocumented boolean DEFAULT false NOT NULL,
    parties jsonb,
    tax_lines jsonb,
    taxes_credited jsonb,
    prepaid_credit_id varchar(255),
    prepaid_applied bigint DEFAULT '0'::bigint NOT NULL,
    consolidated_invoice_id varchar(255),
    CONSTRAINT invoice_amounts CHECK (((subtotal >= 0) AND (tax_amount >= 0) AND (total = (subtotal +
CASE
    WHEN tax_inclusive THEN (0)::bigint
    ELSE tax_amount
END)))),
    CONSTRAINT invoice_collection_method_check CHECK ((collection_method = ANY (ARRAY['charge_automatically'::text, 'send_invoice'::text]))),
    CONSTRAINT invoice_consolidates CHECK (((consolidated_invoice_id IS NULL) OR ((purpose = 'period'::text) AND (status <> 'draft'::text) AND (due_date IS NOT NULL)))),
    CONSTRAINT invoice_credit CHECK (((credit_applied >= 0) AND ((credit_applied + amount_waived) <= total))),
    CONSTRAINT invoice_credited CHECK (((amount_credited >= 0) AND (amount_credited <= total) AND (tax_credited >= 0) AND (tax_credited <= tax_amount) AND (amount_waived >= 0) AND (amount_waived <= amount_credited))),
    CONSTRAINT invoice_prepaid CHECK (((prepaid_applied >= 0) AND (prepaid_applied <= credit_applied))),
    CONSTRAINT invoice_prepaid_credit CHECK (((prepaid_credit_id IS NULL) OR ((type = 'standalone'::text) AND (tax_amount = 0) AND (prepaid_applied = 0)))),
    CONSTRAINT invoice_purpose CHECK (
CASE purpose
    WHEN 'manual'::text THEN (type <> 'subscription'::text)
    WHEN 'period'::text THEN ((type = 'subscription'::text) AND (billing_period_id IS NOT NULL))
    WHEN 'adjustment'::text THEN ((type = 'subscription'::text) AND (billing_period_id IS NOT NULL) AND (billing_run_id IS NOT NULL))
    ELSE ((type = 'subscription'::text) AND (billing_run_id IS NULL))
END),
    CONSTRAINT invoice_purpose_check CHECK ((purpose = ANY (ARRAY['period'::text, 'adjustment'::text, 'last_usage'::text, 'threshold'::text, 'usage_correction'::text, 'manual'::text]))),
    CONSTRAINT invoice_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'paid'::text, 'uncollectible'::text, 'void'::text, 'refunded'::text, 'partially_refunded'::text, 'awaiting_payment_confirmation'::text]))),
    CONSTRAINT invoice_tax_type_check CHECK ((tax_type = ANY (ARRAY['amusement_tax'::text, 'communications_tax'::text, 'gst'::text, 'hst'::text, 'igst'::text, 'jct'::text, 'lease_tax'::text, 'pst'::text, 'qst'::text, 'rst'::text, 'sales_tax'::text, 'vat'::text, 'none'::text]))),
    CONSTRAINT invoice_type_check CHECK ((type = ANY (ARRAY['subscription'::text, 'purchase'::text, 'standalone'::text]))),
    CONSTRAINT invoice_variant CHECK (
CASE type
    WHEN 'subscription'::text THEN ((subscription_id IS NOT NULL) AND (purchase_id IS NULL))
    WHEN 'purchase'::text THEN ((purchase_id IS NOT NULL) AND (subscription_id IS NULL))
    ELSE (num_nonnulls(subscription_id, purchase_id, billing_period_id) = 0)
END)
);
CREATE TABLE invoice_line_item (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    invoice_id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    type text DEFAULT 'static'::text NOT NULL,
    quantity numeric NOT NULL,
    price_id varchar(255),
    description text,
    price bigint NOT NULL,
    billing_period_item_id varchar(255),
    customer_id varchar(255) NOT NULL,
    amount bigint NOT NULL,
    balance_id varchar(255),
    usage_quantity numeric,
    usage_events_per_unit bigint,
    usage_breakdown jsonb,
    discount_base bigint,
    discount_redemption_id varchar(255),
    price_parts jsonb,
    tax_group integer,
    committed_period_id varchar(255),
    commitment jsonb,
    undone_line_item_id varchar(255),
    one_off_charge_id varchar(255),
    CONSTRAINT invoice_line_item_amount CHECK (
CASE type
    WHEN 'usage'::text THEN (num_nulls(balance_id, usage_quantity, usage_events_per_unit) = 0)
    ELSE ((amount)::numeric = round(((price)::numeric * quantity)))
END),
    CONSTRAINT invoice_line_item_commitment CHECK ((((type = 'commitment'::text) = (committed_period_id IS NOT NULL)) AND ((type = 'commitment'::text) = (commitment IS NOT NULL)) AND ((undone_line_item_id IS NULL) OR ((type = 'commitment'::text) AND (amount < 0))))),
    CONSTRAINT invoice_line_item_discount CHECK ((((type = 'discount'::text) = (discount_redemption_id IS NOT NULL)) AND ((type = 'discount'::text) OR (discount_base IS NULL)))),
    CONSTRAINT invoice_line_item_one_off CHECK (((type = 'one_off'::text) = (one_off_charge_id IS NOT NULL))),
    CONSTRAINT invoice_line_item_range CHECK (
CASE type
    WHEN 'discount'::text THEN (quantity = (1)::numeric)
    WHEN 'usage'::text THEN (price >= 0)
    ELSE (scale(quantity) <= 9)
END),
    CONSTRAINT invoice_line_item_type_check CHECK ((type = ANY (ARRAY['static'::text, 'usage'::text, 'discount'::text, 'commitment'::text, 'one_off'::text])))
);
CREATE SEQUENCE invoice_line_item_position_seq;
ALTER SEQUENCE invoice_line_item_position_seq OWNED BY invoice_line_item."position";
CREATE SEQUENCE invoice_position_seq;
ALTER SEQUENCE invoice_position_seq OWNED BY invoice."position";
CREATE TABLE ledger_transaction (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    balance_id varchar(255) NOT NULL,
    type text NOT NULL,
    source_id varchar(255) NOT NULL,
    billing_period_id varchar(255),
    price_id varchar(255),
    usage numeric DEFAULT '0'::numeric NOT NULL,
    credits numeric DEFAULT '0'::numeric NOT NULL,
    overage numeric DEFAULT '0'::numeric NOT NULL,
    granted numeric DEFAULT '0'::numeric NOT NULL,
    expired numeric DEFAULT '0'::numeric NOT NULL,
    billed numeric DEFAULT '0'::numeric NOT NULL,
    "position" bigint NOT NULL,
    CONSTRAINT ledger_transaction_type_check CHECK ((type = ANY (ARRAY['usage_recorded'::text, 'usage_voided'::text, 'credit_granted'::text, 'credit_applied'::text, 'credit_expired'::text, 'usage_billed'::text]))),
    CONSTRAINT ledger_transaction_zero CHECK (((((((usage + credits) + overage) + granted) + expired) + billed) = (0)::numeric))
);
CREATE SEQUENCE ledger_transaction_position_seq;
ALTER SEQUENCE ledger_transaction_position_seq OWNED BY ledger_transaction."position";
CREATE TABLE mail (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    kind text NOT NULL,
    event_id varchar(255) NOT NULL,
    sequence bigint NOT NULL,
    "position" bigint GENERATED ALWAYS AS (sequence) STORED NOT NULL,
    occurred_at timestamptz(3) NOT NULL,
    customer_id varchar(255) NOT NULL,
    object_id varchar(255) NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    language varchar(255),
    sender text,
    recipient text,
    reply_to text,
    subject text,
    text text,
    html text,
    problem text,
    attempt_count integer DEFAULT 0 NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    next_attempt_at timestamptz(3),
    sent_at timestamptz(3),
    repeats integer DEFAULT 0 NOT NULL,
    claim varchar(255),
    claimed_until timestamptz(3),
    handed_over_at timestamptz(3),
    CONSTRAINT mail_handed_over CHECK (((handed_over_at IS NULL) OR (claim IS NOT NULL))),
    CONSTRAINT mail_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'receipt'::text, 'payment_failed'::text, 'card_expiring'::text, 'trial_ending'::text, 'renewal_upcoming'::text, 'prepaid_expiring'::text, 'alert'::text]))),
    CONSTRAINT mail_mode CHECK (
CASE status
    WHEN 'sent'::text THEN livemode
    WHEN 'caught'::text THEN (NOT livemode)
    ELSE true
END),
    CONSTRAINT mail_pending CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
    CONSTRAINT mail_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'caught'::text, 'failed'::text, 'uncertain'::text, 'dropped'::text])))
);
CREATE TABLE mail_settings (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    kinds text[] NOT NULL,
    from_name varchar(255),
    from_address varchar(255),
    reply_to varchar(255),
    language varchar(255) DEFAULT 'en'::varchar NOT NULL,
    trial_ending_days integer DEFAULT 3 NOT NULL,
    renewal_days integer DEFAULT 14 NOT NULL,
    card_expiring_days integer DEFAULT 14 NOT NULL,
    prepaid_expiring_days integer DEFAULT 14 NOT NULL,
    CONSTRAINT mail_settings_days CHECK (((LEAST(trial_ending_days, renewal_days, card_expiring_days, prepaid_expiring_days) >= 1) AND (GREATEST(trial_ending_days, renewal_days, card_expiring_days, prepaid_expiring_days) <= 90)))
);
CREATE SEQUENCE mail_settings_position_seq;
ALTER SEQUENCE mail_settings_position_seq OWNED BY mail_settings."position";
CREATE TABLE mail_template (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    kind text NOT NULL,
    language varchar(255) NOT NULL,
    subject text NOT NULL,
    mjml text NOT NULL,
    text text,
    html text NOT NULL,
    CONSTRAINT mail_template_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'receipt'::text, 'payment_failed'::text, 'card_expiring'::text, 'trial_ending'::text, 'renewal_upcoming'::text, 'prepaid_expiring'::text, 'alert'::text])))
);
CREATE SEQUENCE mail_template_position_seq;
ALTER SEQUENCE mail_template_position_seq OWNED BY mail_template."position";
CREATE TABLE mrr_change (
    subscription_id varchar(255) NOT NULL,
    product_id varchar(255) NOT NULL,
    at timestamptz(3) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    currency varchar(3) NOT NULL,
    amount_before numeric NOT NULL,
    amount_after numeric NOT NULL,
    organization_id varchar(255) NOT NULL,
    CONSTRAINT mrr_change_range CHECK (((amount_before >= (0)::numeric) AND (amount_after >= (0)::numeric) AND (amount_before <> amount_after)))
);
CREATE TABLE mrr_movement (
    customer_id varchar(255) NOT NULL,
    currency varchar(3) NOT NULL,
    product_id varchar(255) NOT NULL,
    at timestamptz(3) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    kind text NOT NULL,
    amount_before numeric NOT NULL,
    amount_after numeric NOT NULL,
    organization_id varchar(255) NOT NULL,
    CONSTRAINT mrr_movement_kind_check CHECK ((kind = ANY (ARRAY['new'::text, 'expansion'::text, 'contraction'::text, 'churn'::text, 'reactivation'::text]))),
    CONSTRAINT mrr_movement_range CHECK (((amount_before >= (0)::numeric) AND (amount_after >= (0)::numeric) AND (amount_before <> amount_after)))
);
CREATE TABLE one_off_charge (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    description text,
    quantity numeric NOT NULL,
    unit_price bigint NOT NULL,
    price_id varchar(255),
    invoice_id varchar(255),
    billed_at timestamptz(3),
    billing_period_id varchar(255),
    trial_rest jsonb,
    CONSTRAINT one_off_charge_billed CHECK (((billed_at IS NULL) = (invoice_id IS NULL))),
    CONSTRAINT one_off_charge_range CHECK (((quantity > (0)::numeric) AND (unit_price > 0))),
    CONSTRAINT one_off_charge_rest CHECK (((billing_period_id IS NULL) = (trial_rest IS NULL)))
);
CREATE SEQUENCE one_off_charge_position_seq;
ALTER SEQUENCE one_off_charge_position_seq OWNED BY one_off_charge."position";
CREATE TABLE operator (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    organization_id varchar(255) NOT NULL,
    email varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    role text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    last_sign_in_at timestamptz(3),
    last_failed_sign_in_at timestamptz(3),
    password_changed_at timestamptz(3),
    second_factor_at timestamptz(3),
    password_hash text,
    totp_secret text,
    pending_totp_secret text,
    totp_step integer,
    recovery_codes jsonb DEFAULT '[]'::jsonb NOT NULL,
    oidc_identity text,
    CONSTRAINT operator_email CHECK (((email)::text = lower((email)::text))),
    CONSTRAINT operator_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'finance'::text, 'developer'::text, 'support'::text]))),
    CONSTRAINT operator_second_factor CHECK (((totp_secret IS NULL) = (second_factor_at IS NULL)))
);
CREATE TABLE operator_invitation (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    organization_id varchar(255) NOT NULL,
    email varchar(255) NOT NULL,
    name varchar(255),
    role text NOT NULL,
    operator_id varchar(255),
    expires_at timestamptz(3) NOT NULL,
    accepted_at timestamptz(3),
    revoked_at timestamptz(3),
    hash_text varchar(64) NOT NULL,
    CONSTRAINT operator_invitation_email CHECK (((email)::text = lower((email)::text))),
    CONSTRAINT operator_invitation_end CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL))),
    CONSTRAINT operator_invitation_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'finance'::text, 'developer'::text, 'support'::text])))
);
CREATE SEQUENCE operator_invitation_position_seq;
ALTER SEQUENCE operator_invitation_position_seq OWNED BY operator_invitation."position";
CREATE SEQUENCE operator_position_seq;
ALTER SEQUENCE operator_position_seq OWNED BY operator."position";
CREATE TABLE operator_session (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    organization_id varchar(255) NOT NULL,
    operator_id varchar(255) NOT NULL,
    method text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    last_seen_at timestamptz(3) NOT NULL,
    hash_text varchar(64) NOT NULL,
    user_agent text,
    address text,
    CONSTRAINT operator_session_life CHECK ((expires_at > created_at)),
    CONSTRAINT operator_session_method_check CHECK ((method = ANY (ARRAY['password'::text, 'invitation'::text, 'oidc'::text])))
);
CREATE SEQUENCE operator_session_position_seq;
ALTER SEQUENCE operator_session_position_seq OWNED BY operator_session."position";
CREATE TABLE organization (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    currency varchar(3) NOT NULL,
    CONSTRAINT organization_currency CHECK (((currency)::text ~ '^[A-Z]{3}$'::text))
);
CREATE TABLE organization_logo (
    id varchar(255) NOT NULL,
    organization_id varchar(255) NOT NULL,
    livemode boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    digest varchar(64) NOT NULL,
    type text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    content bytea NOT NULL,
    CONSTRAINT organization_logo_size CHECK (((width >= 1) AND (width <= 1000) AND (height >= 1) AND (height <= 1000) AND (octet_length(content) <= 100000))),
    CONSTRAINT organization_logo_type_check CHECK ((type = ANY (ARRAY['png'::text, 'jpeg'::text])))
);
CREATE TABLE organization_move (
    organization_id varchar(255) NOT NULL,
    state text NOT NULL,
    cell text NOT NULL,
    started_at timestamptz(3) DEFAULT clock_timestamp() NOT NULL,
    changed_at timestamptz(3) DEFAULT clock_timestamp() NOT NULL,
    frozen_milliseconds integer,
    CONSTRAINT organization_move_state_check CHECK ((state = ANY (ARRAY['copying'::text, 'frozen'::text, 'moved'::text, 'arriving'::text, 'arrived'::text])))
);
CREATE TABLE organization_settings (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    allow_multiple_subscriptions_per_customer boolean DEFAULT false NOT NULL,
    document_secret text NOT NULL,
    dunning_retry_days jsonb DEFAULT '[3, 5, 5]'::jsonb NOT NULL,
    dunning_final_action text DEFAULT 'unpaid'::text NOT NULL,
    proration_credit text DEFAULT 'none'::text NOT NULL,
    tax_type text,
    tax_rate_percentage varchar(255),
    tax_inclusive boolean DEFAULT false NOT NULL,
    tax_country varchar(2),
    tax_state varchar(255),
    document_links_valid_from timestamptz(3),
    "position" bigint NOT NULL,
    allowed_origins jsonb DEFAULT '[]'::jsonb NOT NULL,
    payment_action_days integer DEFAULT 7 NOT NULL,
    legal_name varchar(255),
    address jsonb,
    tax_ids jsonb DEFAULT '[]'::jsonb NOT NULL,
    logo_id varchar(255),
    draft_window_hours integer DEFAULT 0 NOT NULL,
    bank_account jsonb,
    tax_engine text DEFAULT 'rule'::text NOT NULL,
    customers_may_pause boolean DEFAULT false NOT NULL,
    tax_service_url text,
    tax_service_secret text,
    consolidates_invoices boolean DEFAULT false NOT NULL,
    customers_may_buy_credit boolean DEFAULT false NOT NULL,
    prepaid_offers jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT organization_settings_draft_window CHECK (((draft_window_hours >= 0) AND (draft_window_hours <= 720))),
    CONSTRAINT organization_settings_dunning_final_action_check CHECK ((dunning_final_action = ANY (ARRAY['cancel'::text, 'unpaid'::text]))),
    CONSTRAINT organization_settings_prepaid_offers CHECK (((jsonb_typeof(prepaid_offers) = 'array'::text) AND ((NOT customers_may_buy_credit) OR (jsonb_array_length(prepaid_offers) > 0)))),
    CONSTRAINT organization_settings_proration_credit_check CHECK ((proration_credit = ANY (ARRAY['none'::text, 'balance'::text]))),
    CONSTRAINT organization_settings_tax_engine_check CHECK ((tax_engine = ANY (ARRAY['rule'::text, 'rates'::text, 'service'::text]))),
    CONSTRAINT organization_settings_tax_ids CHECK (((jsonb_typeof(tax_ids) = 'array'::text) AND (jsonb_array_length(tax_ids) <= 5))),
    CONSTRAINT organization_settings_tax_service CHECK (((tax_engine <> 'service'::text) OR ((tax_service_url IS NOT NULL) AND (tax_service_secret IS NOT NULL)))),
    CONSTRAINT organization_settings_tax_type_check CHECK ((tax_type = ANY (ARRAY['amusement_tax'::text, 'communications_tax'::text, 'gst'::text, 'hst'::text, 'igst'::text, 'jct'::text, 'lease_tax'::text, 'pst'::text, 'qst'::text, 'rst'::text, 'sales_tax'::text, 'vat'::text, 'none'::text])))
);
CREATE SEQUENCE organization_settings_position_seq;
ALTER SEQUENCE organization_settings_position_seq OWNED BY organization_settings."position";
CREATE TABLE owed_usage (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    balance_id varchar(255) NOT NULL,
    billing_period_id varchar(255) NOT NULL,
    price_id varchar(255) NOT NULL,
    quantity numeric NOT NULL,
    invoice_line_item_id varchar(255),
    undone_line_item_id varchar(255),
    is_lost boolean DEFAULT false NOT NULL,
    amount bigint,
    organization_id varchar(255) NOT NULL,
    CONSTRAINT owed_usage_amount CHECK (((amount IS NULL) = (invoice_line_item_id IS NULL)))
);
CREATE TABLE payment (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    invoice_id varchar(255) NOT NULL,
    amount bigint NOT NULL,
    payment_method text NOT NULL,
    currency varchar(3) NOT NULL,
    status text DEFAULT 'processing'::text NOT NULL,
    charge_date timestamptz(3) NOT NULL,
    settlement_date timestamptz(3),
    description text,
    receipt_number varchar(255),
    customer_id varchar(255) NOT NULL,
    purchase_id varchar(255),
    subscription_id varchar(255),
    payment_method_id varchar(255),
    billing_period_id varchar(255),
    tax_amount bigint NOT NULL,
    subtotal bigint NOT NULL,
    tax_type text,
    tax_country varchar(2),
    tax_state varchar(255),
    tax_rate_percentage varchar(255),
    application_fee bigint,
    refunded boolean DEFAULT false NOT NULL,
    refunded_amount bigint DEFAULT '0'::bigint NOT NULL,
    refunded_at timestamptz(3),
    failure_message text,
    failure_code varchar(255),
    idempotency_key varchar(255) NOT NULL,
    billing_run_id varchar(255),
    test_clock_id varchar(255),
    check_due_at timestamptz(3),
    "position" bigint NOT NULL,
    failure_kind text,
    decline_code varchar(255),
    advice_code varchar(255),
    network_decline_code varchar(255),
    processor varchar(255) DEFAULT 'sandbox'::varchar NOT NULL,
    processor_account_id varchar(255),
    processor_reference varchar(255),
    charge_reference varchar(255),
    processor_receipt_url text,
    off_session boolean DEFAULT true NOT NULL,
    action_url text,
    action_expires_at timestamptz(3),
    action_reference varchar(255),
    action_page_expires_at timestamptz(3),
    action_pages integer DEFAULT 0 NOT NULL,
    disputed boolean DEFAULT false NOT NULL,
    reversed_amount bigint DEFAULT '0'::bigint NOT NULL,
    reversed_at timestamptz(3),
    credited_amount bigint DEFAULT '0'::bigint NOT NULL,
    remittance_id varchar(255),
    charged_with_id varchar(255),
    charge_amount bigint,
    CONSTRAINT payment_action CHECK (((action_url IS NULL) OR ((status = 'requires_action'::text) AND (action_expires_at IS NOT NULL)))),
    CONSTRAINT payment_charge CHECK (((num_nonnulls(charged_with_id, charge_amount, remittance_id) <= 1) AND ((charge_amount IS NULL) OR (charge_amount > amount)) AND ((charged_with_id IS NULL) OR (check_due_at IS NULL)))),
    CONSTRAINT payment_credited CHECK (((credited_amount >= 0) AND (((refunded_amount + credited_amount) + reversed_amount) <= amount))),
    CONSTRAINT payment_external CHECK ((((remittance_id IS NULL) = (payment_method = ANY (ARRAY['card'::text, 'link'::text, 'us_bank_account'::text, 'sepa_debit'::text]))) AND ((remittance_id IS NULL) OR ((reversed_amount = 0) AND (status <> 'canceled'::text)) OR ((reversed_amount = amount) AND (status = 'canceled'::text))))),
    CONSTRAINT payment_failure_kind_check CHECK ((failure_kind = ANY (ARRAY['soft'::text, 'hard'::text, 'card_data'::text, 'authentication'::text, 'configuration'::text]))),
    CONSTRAINT payment_payment_method_check CHECK ((payment_method = ANY (ARRAY['card'::text, 'link'::text, 'us_bank_account'::text, 'sepa_debit'::text, 'bank_transfer'::text, 'check'::text, 'cash'::text, 'card_elsewhere'::text, 'other'::text]))),
    CONSTRAINT payment_pending_due CHECK (((check_due_at IS NOT NULL) OR (charged_with_id IS NOT NULL) OR (status = ANY (ARRAY['canceled'::text, 'failed'::text, 'refunded'::text, 'succeeded'::text])))),
    CONSTRAINT payment_refund CHECK (((amount > 0) AND (refunded_amount >= 0) AND (refunded_amount <= amount) AND (refunded = (refunded_amount = amount)))),
    CONSTRAINT payment_reversal CHECK (((reversed_amount >= 0) AND ((reversed_amount = 0) = (reversed_at IS NULL)))),
    CONSTRAINT payment_status_check CHECK ((status = ANY (ARRAY['canceled'::text, 'failed'::text, 'refunded'::text, 'processing'::text, 'succeeded'::text, 'requires_confirmation'::text, 'requires_action'::text]))),
    CONSTRAINT payment_tax_type_check CHECK ((tax_type = ANY (ARRAY['amusement_tax'::text, 'communications_tax'::text, 'gst'::text, 'hst'::text, 'igst'::text, 'jct'::text, 'lease_tax'::text, 'pst'::text, 'qst'::text, 'rst'::text, 'sales_tax'::text, 'vat'::text, 'none'::text])))
);
CREATE TABLE payment_method (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    type text NOT NULL,
    "default" boolean DEFAULT false NOT NULL,
    billing_details jsonb NOT NULL,
    payment_method_data jsonb NOT NULL,
    metadata jsonb,
    detached_at timestamptz(3),
    token text NOT NULL,
    "position" bigint NOT NULL,
    processor varchar(255) DEFAULT 'sandbox'::varchar NOT NULL,
    processor_account_id varchar(255),
    refusal_kind text,
    refused_at timestamptz(3),
    token_hash varchar(64),
    detach_due_at timestamptz(3),
    expires_on timestamptz(3),
    expiry_announced timestamptz(3),
    CONSTRAINT payment_method_default CHECK (((NOT "default") OR (detached_at IS NULL))),
    CONSTRAINT payment_method_refusal_kind_check CHECK ((refusal_kind = ANY (ARRAY['soft'::text, 'hard'::text, 'card_data'::text, 'authentication'::text, 'configuration'::text]))),
    CONSTRAINT payment_method_type_check CHECK ((type = ANY (ARRAY['card'::text, 'link'::text, 'us_bank_account'::text, 'sepa_debit'::text])))
);
CREATE SEQUENCE payment_method_position_seq;
ALTER SEQUENCE payment_method_position_seq OWNED BY payment_method."position";
CREATE TABLE payment_method_setup (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    "default" boolean DEFAULT true NOT NULL,
    return_url text NOT NULL,
    cancel_url text NOT NULL,
    url text,
    expires_at timestamptz(3),
    payment_method_id varchar(255),
    processor varchar(255) DEFAULT 'sandbox'::varchar NOT NULL,
    processor_account_id varchar(255),
    processor_reference varchar(255),
    CONSTRAINT payment_method_setup_completed CHECK (((status <> 'completed'::text) OR (payment_method_id IS NOT NULL))),
    CONSTRAINT payment_method_setup_status_check CHECK ((status = ANY (ARRAY['open'::text, 'completed'::text, 'expired'::text])))
);
CREATE SEQUENCE payment_method_setup_position_seq;
ALTER SEQUENCE payment_method_setup_position_seq OWNED BY payment_method_setup."position";
CREATE SEQUENCE payment_position_seq;
ALTER SEQUENCE payment_position_seq OWNED BY payment."position";
CREATE TABLE prepaid_credit (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    source text NOT NULL,
    currency varchar(3) NOT NULL,
    amount bigint NOT NULL,
    remaining bigint DEFAULT '0'::bigint NOT NULL,
    used bigint DEFAULT '0'::bigint NOT NULL,
    expired bigint DEFAULT '0'::bigint NOT NULL,
    revoked bigint DEFAULT '0'::bigint NOT NULL,
    lacking bigint DEFAULT '0'::bigint NOT NULL,
    priority integer DEFAULT 50 NOT NULL,
    expires_at timestamptz(3),
    valid_days integer,
    rollovers integer,
    rollover_limit bigint,
    rolled_over integer DEFAULT 0 NOT NULL,
    expiry_announced timestamptz(3),
    invoice_id varchar(255),
    granted_at timestamptz(3),
    voided_at timestamptz(3),
    reason text,
    bought_by_customer boolean DEFAULT false NOT NULL,
    CONSTRAINT prepaid_credit_buyer CHECK (((NOT bought_by_customer) OR (source = 'purchase'::text))),
    CONSTRAINT prepaid_credit_lacking CHECK (((lacking >= 0) AND (lacking <= (used + expired)))),
    CONSTRAINT prepaid_credit_parts CHECK (((amount > 0) AND (LEAST(remaining, used, expired, revoked) >= 0) AND ((((remaining + used) + expired) + revoked) =
CASE
    WHEN (granted_at IS NULL) THEN (0)::bigint
    ELSE amount
END))),
    CONSTRAINT prepaid_credit_source CHECK ((((source = 'gift'::text) = (invoice_id IS NULL)) AND ((source <> 'gift'::text) OR (granted_at IS NOT NULL)))),
    CONSTRAINT prepaid_credit_source_check CHECK ((source = ANY (ARRAY['purchase'::text, 'gift'::text, 'top_up'::text]))),
    CONSTRAINT prepaid_credit_time CHECK (((valid_days > 0) AND (rollovers >= 0) AND (rollover_limit > 0) AND (rolled_over >= 0) AND ((valid_days IS NOT NULL) OR (rollovers IS NULL)) AND ((rollovers IS NOT NULL) OR (rollover_limit IS NULL)))),
    CONSTRAINT prepaid_credit_void CHECK (((voided_at IS NULL) OR (remaining = 0)))
);
CREATE SEQUENCE prepaid_credit_position_seq;
ALTER SEQUENCE prepaid_credit_position_seq OWNED BY prepaid_credit."position";
CREATE TABLE prepaid_credit_use (
    credit_id varchar(255) NOT NULL,
    invoice_id varchar(255) NOT NULL,
    organization_id varchar(255) NOT NULL,
    amount bigint NOT NULL,
    returned bigint DEFAULT '0'::bigint NOT NULL,
    CONSTRAINT prepaid_credit_use_range CHECK (((returned >= 0) AND (returned <= amount)))
);
CREATE TABLE prepaid_top_up (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    currency varchar(3) NOT NULL,
    threshold bigint NOT NULL,
    amount bigint NOT NULL,
    most_per_month bigint NOT NULL,
    valid_days integer,
    active boolean DEFAULT true NOT NULL,
    problem text,
    month varchar(7),
    bought_in_month bigint DEFAULT '0'::bigint NOT NULL,
    pending_credit_id varchar(255),
    waits_until timestamptz(3),
    CONSTRAINT prepaid_top_up_month CHECK (((bought_in_month >= 0) AND (bought_in_month <= most_per_month))),
    CONSTRAINT prepaid_top_up_range CHECK (((threshold >= 0) AND (amount > 0) AND (valid_days > 0) AND (most_per_month >= amount)))
);
CREATE SEQUENCE prepaid_top_up_position_seq;
ALTER SEQUENCE prepaid_top_up_position_seq OWNED BY prepaid_top_up."position";
CREATE TABLE price (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    type text NOT NULL,
    name varchar(255),
    slug varchar(255),
    unit_price bigint NOT NULL,
    currency varchar(3) NOT NULL,
    is_default boolean NOT NULL,
    active boolean DEFAULT true NOT NULL,
    interval_unit text,
    interval_count integer,
    trial_period_days integer,
    usage_events_per_unit bigint,
    product_id varchar(255),
    usage_meter_id varchar(255),
    no_charge boolean DEFAULT false NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    "position" bigint NOT NULL,
    retired_at timestamptz(3),
    successor_id varchar(255),
    model text DEFAULT 'per_unit'::text NOT NULL,
    tiers jsonb,
    package_size bigint,
    percentage numeric,
    fixed_fee bigint,
    free_units bigint,
    minimum_amount bigint,
    maximum_amount bigint,
    matrix jsonb,
    CONSTRAINT price_currency CHECK (((currency)::text ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT price_default_active CHECK ((active OR (NOT is_default))),
    CONSTRAINT price_interval_unit_check CHECK ((interval_unit = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
    CONSTRAINT price_limits CHECK ((((package_size IS NULL) OR (package_size > 0)) AND ((percentage IS NULL) OR (percentage > (0)::numeric)) AND ((fixed_fee IS NULL) OR (fixed_fee >= 0)) AND ((free_units IS NULL) OR (free_units > 0)) AND ((minimum_amount IS NULL) OR ((minimum_amount > 0) AND (unit_price > 0))) AND ((maximum_amount IS NULL) OR (maximum_amount > 0)) AND ((minimum_amount IS NULL) OR (maximum_amount IS NULL) OR (minimum_amount <= maximum_amount)))),
    CONSTRAINT price_model CHECK ((
CASE model
    WHEN 'per_unit'::text THEN (num_nonnulls(tiers, package_size, percentage, fixed_fee, matrix) = 0)
    WHEN 'flat'::text THEN (num_nonnulls(tiers, package_size, percentage, fixed_fee, matrix) = 0)
    WHEN 'package'::text THEN ((package_size IS NOT NULL) AND (num_nonnulls(tiers, percentage, fixed_fee, matrix) = 0))
    WHEN 'percentage'::text THEN ((percentage IS NOT NULL) AND (type = 'usage'::text) AND (num_nonnulls(tiers, package_size, matrix) = 0))
    WHEN 'matrix'::text THEN ((matrix IS NOT NULL) AND (type = 'usage'::text) AND (num_nonnulls(tiers, package_size, percentage, fixed_fee, free_units) = 0))
    ELSE ((tiers IS NOT NULL) AND (num_nonnulls(package_size, percentage, fixed_fee, matrix) = 0))
END AND ((type <> 'single_payment'::text) OR ((model = 'per_unit'::text) AND (num_nonnulls(free_units, minimum_amount, maximum_amount) = 0))))),
    CONSTRAINT price_model_check CHECK ((model = ANY (ARRAY['per_unit'::text, 'flat'::text, 'graduated'::text, 'volume'::text, 'stairstep'::text, 'package'::text, 'percentage'::text, 'matrix'::text]))),
    CONSTRAINT price_tiers CHECK (((tiers IS NULL) OR ((jsonb_typeof(tiers) = 'array'::text) AND (jsonb_array_length(tiers) <= 100) AND jsonb_path_exists(tiers, '$[last]?(@."upTo" == null)'::jsonpath) AND (NOT jsonb_path_exists(tiers, '$[*]?(@."flatFee" < 0)'::jsonpath))))),
    CONSTRAINT price_type_check CHECK ((type = ANY (ARRAY['single_payment'::text, 'subscription'::text, 'usage'::text]))),
    CONSTRAINT price_unit_price_range CHECK ((unit_price >= 0)),
    CONSTRAINT price_variant CHECK (
CASE type
    WHEN 'usage'::text THEN ((usage_meter_id IS NOT NULL) AND (product_id IS NULL) AND (usage_events_per_unit > 0) AND (interval_unit IS NOT NULL) AND (interval_count > 0) AND (trial_period_days IS NULL))
    WHEN 'subscription'::text THEN ((product_id IS NOT NULL) AND (interval_unit IS NOT NULL) AND (interval_count > 0) AND (num_nonnulls(usage_meter_id, usage_events_per_unit) = 0))
    ELSE ((product_id IS NOT NULL) AND (num_nonnulls(usage_meter_id, usage_events_per_unit, interval_unit, interval_count, trial_period_days) = 0))
END)
);
CREATE TABLE price_move (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    from_price_id varchar(255) NOT NULL,
    to_price_id varchar(255) NOT NULL,
    timing text NOT NULL,
    prorate boolean NOT NULL,
    keep_negotiated_prices boolean NOT NULL,
    status text DEFAULT 'running'::text NOT NULL,
    subscription_count integer NOT NULL,
    moved_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    failures jsonb DEFAULT '[]'::jsonb NOT NULL,
    progressed_at timestamptz(3),
    finished_at timestamptz(3),
    cursor varchar(255),
    moving_id varchar(255),
    lease_holder varchar(255),
    lease_until timestamptz(3),
    moving_tries integer DEFAULT 0 NOT NULL,
    CONSTRAINT price_move_counts CHECK (((moved_count >= 0) AND (failed_count >= 0))),
    CONSTRAINT price_move_finished CHECK (((status = 'running'::text) = (finished_at IS NULL))),
    CONSTRAINT price_move_prices CHECK (((from_price_id)::text <> (to_price_id)::text)),
    CONSTRAINT price_move_status_check CHECK ((status = ANY (ARRAY['running'::text, 'stopped'::text, 'completed'::text]))),
    CONSTRAINT price_move_timing_check CHECK ((timing = ANY (ARRAY['immediately'::text, 'at_end_of_current_billing_period'::text])))
);
CREATE SEQUENCE price_move_position_seq;
ALTER SEQUENCE price_move_position_seq OWNED BY price_move."position";
CREATE SEQUENCE price_position_seq;
ALTER SEQUENCE price_position_seq OWNED BY price."position";
CREATE TABLE pricing_model (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    is_default boolean NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    "position" bigint NOT NULL
);
CREATE SEQUENCE pricing_model_position_seq;
ALTER SEQUENCE pricing_model_position_seq OWNED BY pricing_model."position";
CREATE TABLE processor_account (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    kind text NOT NULL,
    account_reference varchar(255) NOT NULL,
    name text,
    api_version varchar(255) NOT NULL,
    key_ending varchar(4) NOT NULL,
    restricted boolean DEFAULT false NOT NULL,
    receives_notices boolean DEFAULT false NOT NULL,
    refused_reason text,
    refused_at timestamptz(3),
    disconnected_at timestamptz(3),
    secret_key text,
    webhook_secret text,
    previous_webhook_secret text,
    previous_webhook_secret_until timestamptz(3),
    endpoint_reference varchar(255),
    events_seen_until timestamptz(3),
    charges_compared_until timestamptz(3),
    CONSTRAINT processor_account_connected CHECK (((secret_key IS NULL) = (disconnected_at IS NOT NULL))),
    CONSTRAINT processor_account_kind_check CHECK ((kind = 'stripe'::text))
);
CREATE SEQUENCE processor_account_position_seq;
ALTER SEQUENCE processor_account_position_seq OWNED BY processor_account."position";
CREATE TABLE processor_customer (
    customer_id varchar(255) NOT NULL,
    processor varchar(255) NOT NULL,
    account varchar(255) DEFAULT ''::varchar NOT NULL,
    reference varchar(255) NOT NULL,
    saved_at timestamptz(3) NOT NULL,
    organization_id varchar(255) NOT NULL
);
CREATE TABLE processor_difference (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    processor_account_id varchar(255) NOT NULL,
    kind text NOT NULL,
    reference varchar(255) NOT NULL,
    payment_id varchar(255),
    currency varchar(3),
    processor_amount bigint,
    own_amount bigint,
    message text NOT NULL,
    resolved_at timestamptz(3),
    CONSTRAINT processor_difference_kind_check CHECK ((kind = ANY (ARRAY['amount'::text, 'charged_twice'::text, 'missing_at_processor'::text, 'not_recorded'::text, 'refunded_amount'::text, 'unknown_payment'::text])))
);
CREATE SEQUENCE processor_difference_position_seq;
ALTER SEQUENCE processor_difference_position_seq OWNED BY processor_difference."position";
CREATE TABLE processor_event (
    id varchar(255) NOT NULL,
    processor_account_id varchar(255) NOT NULL,
    event_id varchar(255) NOT NULL,
    type varchar(255) NOT NULL,
    object varchar(255) NOT NULL,
    reference varchar(255) NOT NULL,
    payment_id varchar(255),
    source text NOT NULL,
    occurred_at timestamptz(3) NOT NULL,
    received_at timestamptz(3) NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamptz(3),
    error text,
    organization_id varchar(255) NOT NULL,
    CONSTRAINT processor_event_source_check CHECK ((source = ANY (ARRAY['webhook'::text, 'reconciliation'::text]))),
    CONSTRAINT processor_event_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'done'::text, 'ignored'::text, 'failed'::text])))
);
CREATE TABLE product (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    description text,
    image_url text,
    active boolean DEFAULT true NOT NULL,
    singular_quantity_label varchar(255),
    plural_quantity_label varchar(255),
    "default" boolean DEFAULT false NOT NULL,
    slug varchar(255) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    "position" bigint NOT NULL,
    tax_code varchar(255)
);
CREATE TABLE product_feature (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    product_id varchar(255) NOT NULL,
    feature_id varchar(255) NOT NULL,
    expired_at timestamptz(3),
    version integer DEFAULT 1 NOT NULL,
    "position" bigint NOT NULL
);
CREATE SEQUENCE product_feature_position_seq;
ALTER SEQUENCE product_feature_position_seq OWNED BY product_feature."position";
CREATE SEQUENCE product_position_seq;
ALTER SEQUENCE product_position_seq OWNED BY product."position";
CREATE TABLE purchase (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    customer_id varchar(255) NOT NULL,
    price_id varchar(255) NOT NULL,
    price_type text NOT NULL,
    quantity integer NOT NULL,
    billing_cycle_anchor timestamptz(3),
    trial_period_days integer,
    price_per_billing_cycle bigint,
    interval_unit text,
    interval_count integer,
    first_invoice_value bigint NOT NULL,
    total_purchase_value bigint,
    purchase_date timestamptz(3),
    end_date timestamptz(3),
    billing_address jsonb,
    metadata jsonb,
    subscription_id varchar(255),
    credits_granted_at timestamptz(3),
    revoked_at timestamptz(3),
    CONSTRAINT purchase_amounts CHECK (((quantity > 0) AND (first_invoice_value >= 0) AND
CASE price_type
    WHEN 'subscription'::text THEN ((total_purchase_value IS NULL) AND (price_per_billing_cycle >= 0) AND (interval_unit IS NOT NULL) AND (interval_count > 0) AND (trial_period_days >= 0))
    ELSE ((total_purchase_value >= 0) AND (num_nonnulls(price_per_billing_cycle, interval_unit, interval_count, trial_period_days) = 0))
END)),
    CONSTRAINT purchase_granted CHECK (((credits_granted_at IS NULL) OR (purchase_date IS NOT NULL))),
    CONSTRAINT purchase_interval_unit_check CHECK ((interval_unit = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
    CONSTRAINT purchase_paid CHECK (((purchase_date IS NOT NULL) OR (status = ANY (ARRAY['open'::text, 'pending'::text, 'failed'::text, 'fraudulent'::text])))),
    CONSTRAINT purchase_price_type_check CHECK ((price_type = ANY (ARRAY['single_payment'::text, 'subscription'::text, 'usage'::text]))),
    CONSTRAINT purchase_status_check CHECK ((status = ANY (ARRAY['open'::text, 'pending'::text, 'failed'::text, 'paid'::text, 'refunded'::text, 'partial_refund'::text, 'fraudulent'::text])))
);
CREATE SEQUENCE purchase_position_seq;
ALTER SEQUENCE purchase_position_seq OWNED BY purchase."position";
CREATE TABLE refund (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    payment_id varchar(255) NOT NULL,
    amount bigint NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    failure_message text,
    customer_id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    failure_code varchar(255),
    origin text DEFAULT 'service'::text NOT NULL,
    processor_reference varchar(255),
    settled_at timestamptz(3),
    failed_at timestamptz(3),
    test_clock_id varchar(255),
    check_due_at timestamptz(3),
    currency varchar(3) NOT NULL,
    credit_note_id varchar(255),
    from_balance bigint DEFAULT '0'::bigint NOT NULL,
    is_undocumented boolean DEFAULT false NOT NULL,
    retracted_amount bigint DEFAULT '0'::bigint NOT NULL,
    CONSTRAINT refund_documented CHECK (((credit_note_id IS NOT NULL) = ((from_balance < amount) AND (NOT is_undocumented)))),
    CONSTRAINT refund_origin_check CHECK ((origin = ANY (ARRAY['service'::text, 'processor'::text]))),
    CONSTRAINT refund_range CHECK (((amount > 0) AND (from_balance >= 0) AND (from_balance <= amount) AND (retracted_amount >= 0) AND (retracted_amount <= from_balance))),
    CONSTRAINT refund_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'requires_action'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text])))
);
CREATE SEQUENCE refund_position_seq;
ALTER SEQUENCE refund_position_seq OWNED BY refund."position";
CREATE TABLE remittance (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    status text NOT NULL,
    method text NOT NULL,
    amount bigint NOT NULL,
    currency varchar(3) NOT NULL,
    reference varchar(255),
    note text,
    attachment_url text,
    expected_at timestamptz(3),
    received_at timestamptz(3),
    recorded_by jsonb,
    reversed_at timestamptz(3),
    reason text,
    CONSTRAINT remittance_method_check CHECK ((method = ANY (ARRAY['bank_transfer'::text, 'check'::text, 'cash'::text, 'card_elsewhere'::text, 'other'::text]))),
    CONSTRAINT remittance_range CHECK ((amount > 0)),
    CONSTRAINT remittance_received CHECK (((status = ANY (ARRAY['received'::text, 'reversed'::text])) = (received_at IS NOT NULL))),
    CONSTRAINT remittance_reversed CHECK (((status = 'reversed'::text) = (reversed_at IS NOT NULL))),
    CONSTRAINT remittance_status_check CHECK ((status = ANY (ARRAY['expected'::text, 'received'::text, 'canceled'::text, 'reversed'::text])))
);
CREATE SEQUENCE remittance_position_seq;
ALTER SEQUENCE remittance_position_seq OWNED BY remittance."position";
CREATE TABLE reservation (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    resource_id varchar(255) NOT NULL,
    status text DEFAULT 'held'::text NOT NULL,
    quantity bigint NOT NULL,
    external_ids jsonb,
    metadata jsonb,
    expires_at timestamptz(3) NOT NULL,
    settled_at timestamptz(3),
    claim_ids jsonb,
    customer_id varchar(255) NOT NULL,
    test_clock_id varchar(255),
    usage_meter_id varchar(255),
    usage_amount numeric,
    usage_event_id varchar(255),
    balance_id varchar(255),
    "position" bigint NOT NULL,
    CONSTRAINT reservation_range CHECK (((quantity >= 0) AND (expires_at > created_at))),
    CONSTRAINT reservation_settled CHECK (((status = 'held'::text) = (settled_at IS NULL))),
    CONSTRAINT reservation_status_check CHECK ((status = ANY (ARRAY['held'::text, 'confirmed'::text, 'released'::text, 'expired'::text]))),
    CONSTRAINT reservation_usage CHECK (((num_nonnulls(usage_meter_id, usage_amount, balance_id) = ANY (ARRAY[0, 3])) AND (usage_amount > (0)::numeric)))
);
CREATE SEQUENCE reservation_position_seq;
ALTER SEQUENCE reservation_position_seq OWNED BY reservation."position";
CREATE TABLE resource (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    slug varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    active boolean DEFAULT true NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    "position" bigint NOT NULL
);
CREATE TABLE resource_claim_count (
    subscription_id varchar(255) NOT NULL,
    resource_id varchar(255) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    claimed bigint NOT NULL,
    organization_id varchar(255) NOT NULL,
    CONSTRAINT resource_claim_count_range CHECK ((claimed >= 0))
);
CREATE SEQUENCE resource_claim_position_seq;
ALTER SEQUENCE resource_claim_position_seq OWNED BY resource_claim."position";
CREATE SEQUENCE resource_position_seq;
ALTER SEQUENCE resource_position_seq OWNED BY resource."position";
CREATE TABLE revenue_day (
    pricing_model_id varchar(255) NOT NULL,
    currency varchar(3) NOT NULL,
    day date NOT NULL,
    slot integer NOT NULL,
    invoiced bigint NOT NULL,
    paid bigint NOT NULL,
    refunded bigint NOT NULL,
    organization_id varchar(255) NOT NULL
)
WITH (fillfactor='40');
CREATE TABLE row_count (
    relation varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    slot integer NOT NULL,
    rows bigint NOT NULL,
    organization_id varchar(255) NOT NULL
)
WITH (fillfactor='40');
CREATE TABLE sandbox_charge (
    idempotency_key varchar(255) NOT NULL,
    payment_method_id varchar(255) NOT NULL,
    amount bigint NOT NULL,
    currency varchar(3) NOT NULL,
    status text NOT NULL,
    failure_code varchar(255),
    failure_message text,
    charged_at timestamptz(3) NOT NULL,
    refunded bigint DEFAULT '0'::bigint NOT NULL,
    refund_keys text[] DEFAULT '{}'::text[] NOT NULL,
    token varchar(255) DEFAULT ''::varchar NOT NULL,
    settles_as text,
    settles_at timestamptz(3),
    organization_id varchar(255) DEFAULT ''::varchar NOT NULL,
    payment_id varchar(255),
    CONSTRAINT sandbox_charge_range CHECK (((amount > 0) AND (refunded >= 0) AND (refunded <= amount))),
    CONSTRAINT sandbox_charge_settles_as_check CHECK ((settles_as = ANY (ARRAY['succeeded'::text, 'failed'::text]))),
    CONSTRAINT sandbox_charge_status_check CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text, 'canceled'::text, 'processing'::text, 'requires_action'::text])))
);
CREATE TABLE sandbox_dispute (
    reference varchar(255) NOT NULL,
    charge_key varchar(255) NOT NULL,
    amount bigint NOT NULL,
    currency varchar(3) NOT NULL,
    status text NOT NULL,
    opened_at timestamptz(3) NOT NULL,
    decides_as text NOT NULL,
    decides_at timestamptz(3) NOT NULL,
    organization_id varchar(255) NOT NULL,
    CONSTRAINT sandbox_dispute_decides_as_check CHECK ((decides_as = ANY (ARRAY['inquiry'::text, 'inquiry_closed'::text, 'opened'::text, 'under_review'::text, 'won'::text, 'lost'::text, 'prevented'::text]))),
    CONSTRAINT sandbox_dispute_status_check CHECK ((status = ANY (ARRAY['inquiry'::text, 'inquiry_closed'::text, 'opened'::text, 'under_review'::text, 'won'::text, 'lost'::text, 'prevented'::text])))
);
CREATE TABLE sandbox_notice (
    id bigint NOT NULL,
    organization_id varchar(255) NOT NULL,
    object text NOT NULL,
    reference varchar(255) NOT NULL,
    type varchar(255) NOT NULL,
    charge_key varchar(255),
    due_at timestamptz(3) NOT NULL,
    delivered_at timestamptz(3),
    CONSTRAINT sandbox_notice_object_check CHECK ((object = ANY (ARRAY['charge'::text, 'refund'::text, 'dispute'::text, 'setup'::text, 'payment_page'::text])))
);
CREATE SEQUENCE sandbox_notice_id_seq;
ALTER SEQUENCE sandbox_notice_id_seq OWNED BY sandbox_notice.id;
CREATE TABLE sandbox_page (
    reference varchar(255) NOT NULL,
    idempotency_key varchar(255) NOT NULL,
    kind text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    customer_reference varchar(255) NOT NULL,
    return_url text NOT NULL,
    cancel_url text NOT NULL,
    description text,
    amount bigint,
    currency varchar(3) NOT NULL,
    charge_key varchar(255),
    payment_id varchar(255),
    token varchar(255),
    type varchar(255),
    opened_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT sandbox_page_kind_check CHECK ((kind = ANY (ARRAY['setup'::text, 'payment'::text]))),
    CONSTRAINT sandbox_page_status_check CHECK ((status = ANY (ARRAY['open'::text, 'completed'::text, 'expired'::text])))
);
CREATE TABLE sandbox_refund (
    idempotency_key varchar(255) NOT NULL,
    charge_key varchar(255) NOT NULL,
    amount bigint NOT NULL,
    currency varchar(3) NOT NULL,
    status text NOT NULL,
    settles_as text,
    settles_at timestamptz(3),
    organization_id varchar(255) NOT NULL,
    CONSTRAINT sandbox_refund_settles_as_check CHECK ((settles_as = ANY (ARRAY['succeeded'::text, 'failed'::text]))),
    CONSTRAINT sandbox_refund_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'requires_action'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text])))
);
CREATE TABLE secrets_key (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL
);
CREATE TABLE sign_in_attempt (
    id varchar(64) NOT NULL,
    failures integer NOT NULL,
    failed_at timestamptz(3) NOT NULL,
    blocked_until timestamptz(3) NOT NULL
);
CREATE TABLE statistic_day (
    pricing_model_id varchar(255) NOT NULL,
    series varchar(255) NOT NULL,
    product_id varchar(255) NOT NULL,
    day date NOT NULL,
    currency varchar(3) NOT NULL,
    slot integer NOT NULL,
    count bigint NOT NULL,
    amount numeric NOT NULL,
    organization_id varchar(255) NOT NULL
)
WITH (fillfactor='40');
CREATE TABLE subscription (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    start_date timestamptz(3) NOT NULL,
    customer_id varchar(255) NOT NULL,
    price_id varchar(255) NOT NULL,
    status text NOT NULL,
    default_payment_method_id varchar(255),
    backup_payment_method_id varchar(255),
    cancellation_reason varchar(255),
    replaced_by_subscription_id varchar(255),
    is_free_plan boolean NOT NULL,
    do_not_charge boolean NOT NULL,
    run_billing_at_period_start boolean NOT NULL,
    renews boolean NOT NULL,
    "interval" text,
    interval_count integer,
    name varchar(255),
    trial_end timestamptz(3),
    current_billing_period_start timestamptz(3),
    current_billing_period_end timestamptz(3),
    metadata jsonb,
    canceled_at timestamptz(3),
    cancel_scheduled_at timestamptz(3),
    billing_cycle_anchor_date timestamptz(3),
    scheduled_adjustment_at timestamptz(3),
    sole boolean NOT NULL,
    test_clock_id varchar(255),
    transition_due_at timestamptz(3),
    scheduled_adjustment jsonb,
    adjustment_count integer DEFAULT 0 NOT NULL,
    "position" bigint NOT NULL,
    mrr bigint DEFAULT '0'::bigint NOT NULL,
    mrr_changes_at timestamptz(3),
    currency varchar(3) NOT NULL,
    collection_method text DEFAULT 'charge_automatically'::text NOT NULL,
    days_until_due integer,
    paid_until timestamptz(3),
    paused_at timestamptz(3),
    pause_scheduled_at timestamptz(3),
    resumes_at timestamptz(3),
    watched boolean DEFAULT false NOT NULL,
    anchored boolean DEFAULT false NOT NULL,
    remaining_periods integer,
    draft_window_hours integer,
    external_id varchar(255),
    trial_end_announced timestamptz(3),
    renewal_announced timestamptz(3),
    commitment jsonb,
    committed boolean DEFAULT false NOT NULL,
    bill_at bigint,
    pause_billing text,
    pause_entitlements text,
    item_trial_end_at timestamptz(3),
    phase_start_at timestamptz(3),
    CONSTRAINT subscription_adjustment CHECK (((scheduled_adjustment IS NULL) OR (scheduled_adjustment_at IS NOT NULL))),
    CONSTRAINT subscription_adjustment_most CHECK (((scheduled_adjustment IS NULL) OR (jsonb_array_length((scheduled_adjustment -> 'items'::text)) <= 100))),
    CONSTRAINT subscription_anchored CHECK (((NOT anchored) OR (billing_cycle_anchor_date IS NOT NULL))),
    CONSTRAINT subscription_bill_at CHECK ((bill_at > 0)),
    CONSTRAINT subscription_canceled CHECK (((status = 'canceled'::text) = (canceled_at IS NOT NULL))),
    CONSTRAINT subscription_collection_method_check CHECK ((collection_method = ANY (ARRAY['charge_automatically'::text, 'send_invoice'::text]))),
    CONSTRAINT subscription_committed CHECK (((commitment IS NULL) OR (committed AND renews AND (NOT is_free_plan) AND (NOT do_not_charge)))),
    CONSTRAINT subscription_days_until_due CHECK ((((collection_method = 'send_invoice'::text) = (days_until_due IS NOT NULL)) AND (days_until_due >= 0))),
    CONSTRAINT subscription_draft_window CHECK (((draft_window_hours >= 0) AND (draft_window_hours <= 720))),
    CONSTRAINT subscription_interval CHECK (((NOT renews) OR (("interval" IS NOT NULL) AND (interval_count > 0)))),
    CONSTRAINT subscription_interval_check CHECK (("interval" = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text]))),
    CONSTRAINT subscription_paid_until CHECK (((paid_until IS NULL) OR (renews AND (NOT do_not_charge) AND (trial_end IS NULL) AND (paid_until > start_date)))),
    CONSTRAINT subscription_pause_billing_check CHECK ((pause_billing = ANY (ARRAY['nothing'::text, 'keeps'::text]))),
    CONSTRAINT subscription_pause_entitlements_check CHECK ((pause_entitlements = ANY (ARRAY['off'::text, 'on'::text]))),
    CONSTRAINT subscription_paused CHECK ((((status = 'paused'::text) = (paused_at IS NOT NULL)) AND (num_nonnulls(paused_at, pause_scheduled_at) < 2) AND ((resumes_at IS NULL) OR (num_nonnulls(paused_at, pause_scheduled_at) = 1)) AND (num_nonnulls(pause_billing, pause_entitlements) = (2 * num_nonnulls(paused_at, pause_scheduled_at))) AND (NOT ((pause_billing = 'keeps'::text) AND (pause_entitlements = 'on'::text))))),
    CONSTRAINT subscription_remaining CHECK ((remaining_periods >= 0)),
    CONSTRAINT subscription_renewal CHECK ((renews OR (num_nonnulls("interval", interval_count, billing_cycle_anchor_date, trial_end, current_billing_period_start, current_billing_period_end) = 0))),
    CONSTRAINT subscription_status_check CHECK ((status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text, 'unpaid'::text, 'cancellation_scheduled'::text, 'incomplete'::text, 'incomplete_expired'::text, 'canceled'::text, 'paused'::text, 'credit_trial'::text]))),
    CONSTRAINT subscription_trial CHECK ((trial_end > start_date))
);
CREATE TABLE subscription_item (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    added_date timestamptz(3) NOT NULL,
    price_id varchar(255),
    unit_price bigint NOT NULL,
    quantity bigint NOT NULL,
    type text DEFAULT 'static'::text NOT NULL,
    external_id varchar(255),
    manually_created boolean DEFAULT false NOT NULL,
    metadata jsonb,
    expired_at timestamptz(3),
    customer_id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    purchase_id varchar(255),
    pricing jsonb,
    priced_amount bigint,
    CONSTRAINT subscription_item_pricing CHECK ((((pricing IS NULL) = (priced_amount IS NULL)) AND ((priced_amount IS NULL) OR (priced_amount >= 0)))),
    CONSTRAINT subscription_item_purchased CHECK (((purchase_id IS NULL) OR (manually_created AND (price_id IS NULL) AND (unit_price = 0)))),
    CONSTRAINT subscription_item_range CHECK (((unit_price >= 0) AND (quantity >= 0))),
    CONSTRAINT subscription_item_type_check CHECK ((type = 'static'::text))
);
CREATE TABLE subscription_item_feature (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    subscription_item_id varchar(255) NOT NULL,
    feature_id varchar(255) NOT NULL,
    product_feature_id varchar(255),
    type text NOT NULL,
    amount bigint,
    usage_meter_id varchar(255),
    renewal_frequency text,
    resource_id varchar(255),
    manually_created boolean DEFAULT false NOT NULL,
    expired_at timestamptz(3),
    detached_at timestamptz(3),
    detached_reason varchar(255),
    customer_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    CONSTRAINT subscription_item_feature_renewal_frequency_check CHECK ((renewal_frequency = ANY (ARRAY['once'::text, 'every_billing_period'::text]))),
    CONSTRAINT subscription_item_feature_type_check CHECK ((type = ANY (ARRAY['toggle'::text, 'usage_credit_grant'::text, 'resource'::text]))),
    CONSTRAINT subscription_item_feature_variant CHECK (
CASE type
    WHEN 'toggle'::text THEN (num_nonnulls(amount, usage_meter_id, renewal_frequency, resource_id) = 0)
    WHEN 'usage_credit_grant'::text THEN ((amount > 0) AND (usage_meter_id IS NOT NULL) AND (renewal_frequency IS NOT NULL) AND (resource_id IS NULL))
    ELSE ((amount > 0) AND (resource_id IS NOT NULL) AND (num_nonnulls(usage_meter_id, renewal_frequency) = 0))
END)
);
CREATE SEQUENCE subscription_item_feature_position_seq;
ALTER SEQUENCE subscription_item_feature_position_seq OWNED BY subscription_item_feature."position";
CREATE SEQUENCE subscription_item_position_seq;
ALTER SEQUENCE subscription_item_position_seq OWNED BY subscription_item."position";
CREATE TABLE subscription_phase (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    starts_at timestamptz(3) NOT NULL,
    items jsonb NOT NULL,
    status text DEFAULT 'planned'::text NOT NULL,
    started_at timestamptz(3),
    problem text,
    timing text DEFAULT 'with_period'::text NOT NULL,
    CONSTRAINT subscription_phase_started CHECK ((((status = 'started'::text) = (started_at IS NOT NULL)) AND ((status = 'failed'::text) = (problem IS NOT NULL)))),
    CONSTRAINT subscription_phase_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'started'::text, 'skipped'::text, 'failed'::text, 'canceled'::text]))),
    CONSTRAINT subscription_phase_timing_check CHECK ((timing = ANY (ARRAY['with_period'::text, 'at_date'::text])))
);
CREATE SEQUENCE subscription_phase_position_seq;
ALTER SEQUENCE subscription_phase_position_seq OWNED BY subscription_phase."position";
CREATE SEQUENCE subscription_position_seq;
ALTER SEQUENCE subscription_position_seq OWNED BY subscription."position";
CREATE TABLE subscription_status_change (
    subscription_id varchar(255) NOT NULL,
    at timestamptz(3) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    status_before text,
    status_after text NOT NULL,
    organization_id varchar(255) NOT NULL
);
CREATE TABLE tax_rate (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    tax_type text NOT NULL,
    rate_percentage varchar(255) NOT NULL,
    country varchar(2) NOT NULL,
    state varchar(255),
    postal_prefix varchar(255),
    tax_code varchar(255),
    customer_kind text DEFAULT 'any'::text NOT NULL,
    compound boolean DEFAULT false NOT NULL,
    category text DEFAULT 'S'::text NOT NULL,
    reason text,
    valid_from timestamptz(3),
    valid_until timestamptz(3),
    CONSTRAINT tax_rate_category CHECK (((category = 'S'::text) = ((rate_percentage)::numeric > (0)::numeric))),
    CONSTRAINT tax_rate_category_check CHECK ((category = ANY (ARRAY['S'::text, 'Z'::text, 'E'::text, 'AE'::text, 'G'::text, 'O'::text]))),
    CONSTRAINT tax_rate_country CHECK (((country)::text ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT tax_rate_customer_kind_check CHECK ((customer_kind = ANY (ARRAY['any'::text, 'business'::text, 'consumer'::text]))),
    CONSTRAINT tax_rate_percentage CHECK (((rate_percentage)::text ~ '^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$'::text)),
    CONSTRAINT tax_rate_tax_type_check CHECK ((tax_type = ANY (ARRAY['amusement_tax'::text, 'communications_tax'::text, 'gst'::text, 'hst'::text, 'igst'::text, 'jct'::text, 'lease_tax'::text, 'pst'::text, 'qst'::text, 'rst'::text, 'sales_tax'::text, 'vat'::text, 'none'::text]))),
    CONSTRAINT tax_rate_type CHECK ((tax_type <> 'none'::text)),
    CONSTRAINT tax_rate_validity CHECK ((valid_from < valid_until))
);
CREATE SEQUENCE tax_rate_position_seq;
ALTER SEQUENCE tax_rate_position_seq OWNED BY tax_rate."position";
CREATE TABLE test_clock (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    name varchar(255),
    frozen_time timestamptz(3) NOT NULL,
    status text DEFAULT 'ready'::text NOT NULL,
    advancing_to timestamptz(3),
    "position" bigint NOT NULL,
    CONSTRAINT test_clock_status_check CHECK ((status = ANY (ARRAY['ready'::text, 'advancing'::text]))),
    CONSTRAINT test_clock_target CHECK ((((status = 'advancing'::text) = (advancing_to IS NOT NULL)) AND (advancing_to >= frozen_time))),
    CONSTRAINT test_clock_test_mode CHECK ((NOT livemode))
);
CREATE SEQUENCE test_clock_position_seq;
ALTER SEQUENCE test_clock_position_seq OWNED BY test_clock."position";
CREATE TABLE top_up (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    usage_meter_id varchar(255) NOT NULL,
    price_id varchar(255) NOT NULL,
    quantity integer DEFAULT 1 NOT NULL,
    threshold numeric NOT NULL,
    most_per_month integer NOT NULL,
    active boolean DEFAULT true NOT NULL,
    problem text,
    month varchar(7),
    purchases_in_month integer DEFAULT 0 NOT NULL,
    pending_purchase_id varchar(255),
    due_at timestamptz(3),
    CONSTRAINT top_up_due_once CHECK (((due_at IS NULL) OR (active AND (pending_purchase_id IS NULL)))),
    CONSTRAINT top_up_month CHECK (((purchases_in_month >= 0) AND (purchases_in_month <= most_per_month))),
    CONSTRAINT top_up_range CHECK (((threshold >= (0)::numeric) AND (quantity > 0) AND (most_per_month > 0)))
);
CREATE SEQUENCE top_up_position_seq;
ALTER SEQUENCE top_up_position_seq OWNED BY top_up."position";
CREATE SEQUENCE total_slot
    AS integer
    CYCLE;
CREATE TABLE usage_credit (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    balance_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    usage_meter_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    amount numeric NOT NULL,
    remaining numeric NOT NULL,
    expired numeric NOT NULL,
    expires_at timestamptz(3),
    priority integer DEFAULT 50 NOT NULL,
    source text NOT NULL,
    source_id varchar(255),
    billing_period_id varchar(255) NOT NULL,
    reason text,
    "position" bigint NOT NULL,
    purchase_id varchar(255),
    rollover_periods integer,
    rollover_limit numeric,
    rolled_into varchar(255),
    rolled_over numeric DEFAULT 0 NOT NULL,
    not_rolled_over numeric DEFAULT 0 NOT NULL,
    CONSTRAINT usage_credit_range CHECK (((amount > (0)::numeric) AND (remaining >= (0)::numeric) AND (expired >= (0)::numeric) AND ((remaining + expired) <= amount))),
    CONSTRAINT usage_credit_rollover CHECK (((rolled_over >= (0)::numeric) AND (not_rolled_over >= (0)::numeric) AND (not_rolled_over <= expired) AND (rolled_over <= COALESCE(rollover_limit, amount)) AND (((rolled_into IS NULL) AND (rollover_limit IS NULL)) OR (rollover_periods IS NOT NULL)) AND (rollover_periods >= 0) AND ((rolled_into IS NOT NULL) OR ((rolled_over + not_rolled_over) = (0)::numeric)))),
    CONSTRAINT usage_credit_source_check CHECK ((source = ANY (ARRAY['feature'::text, 'add_feature'::text, 'manual'::text])))
);
CREATE TABLE usage_credit_application (
    credit_id varchar(255) NOT NULL,
    billing_period_id varchar(255) NOT NULL,
    amount numeric NOT NULL,
    organization_id varchar(255) NOT NULL,
    CONSTRAINT usage_credit_application_range CHECK ((amount >= (0)::numeric))
);
CREATE SEQUENCE usage_credit_position_seq;
ALTER SEQUENCE usage_credit_position_seq OWNED BY usage_credit."position";
CREATE TABLE usage_event (
    pricing_model_id text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    id text NOT NULL,
    recorded_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id text NOT NULL,
    customer_id text NOT NULL,
    subscription_id text NOT NULL,
    usage_meter_id text NOT NULL,
    price_id text NOT NULL,
    billing_period_id text,
    amount numeric NOT NULL,
    usage_date timestamptz(3) NOT NULL,
    transaction_id text NOT NULL,
    properties jsonb,
    place integer DEFAULT 0 NOT NULL,
    voided_at timestamptz(3),
    void_reason text,
    replaced_by_id text,
    voided_after_billing boolean DEFAULT false NOT NULL,
    first_recorded_at timestamptz(3),
    after_end boolean DEFAULT false NOT NULL,
    left_out_by text,
    order_at timestamptz(3),
    order_place integer,
    "position" bigint DEFAULT 0 NOT NULL,
    CONSTRAINT usage_event_after_end CHECK (((NOT after_end) OR (billing_period_id IS NULL))),
    CONSTRAINT usage_event_amount CHECK (((amount > (0)::numeric) AND (scale(amount) <= 9))),
    CONSTRAINT usage_event_transaction CHECK (((length(transaction_id) >= 1) AND (length(transaction_id) <= 255)))
)
PARTITION BY RANGE (recorded_at);
CREATE TABLE usage_event_distinct (
    digest bytea NOT NULL,
    event_id text NOT NULL,
    organization_id text NOT NULL
);
CREATE TABLE usage_event_inbox (
    slot smallint NOT NULL,
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    livemode boolean NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    owners integer[] NOT NULL,
    count integer NOT NULL,
    origin text NOT NULL,
    events text NOT NULL,
    CONSTRAINT usage_event_inbox_count_check CHECK ((count > 0))
)
PARTITION BY LIST (slot);
CREATE TABLE usage_event_inbox_0 (
    slot smallint NOT NULL,
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    livemode boolean NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    owners integer[] NOT NULL,
    count integer NOT NULL,
    origin text NOT NULL,
    events text NOT NULL,
    CONSTRAINT usage_event_inbox_count_check CHECK ((count > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1', autovacuum_analyze_threshold='2000000000');
ALTER TABLE ONLY usage_event_inbox_0 ALTER COLUMN origin SET STORAGE EXTERNAL;
ALTER TABLE ONLY usage_event_inbox_0 ALTER COLUMN events SET STORAGE EXTERNAL;
CREATE TABLE usage_event_inbox_1 (
    slot smallint NOT NULL,
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    livemode boolean NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    owners integer[] NOT NULL,
    count integer NOT NULL,
    origin text NOT NULL,
    events text NOT NULL,
    CONSTRAINT usage_event_inbox_count_check CHECK ((count > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1', autovacuum_analyze_threshold='2000000000');
ALTER TABLE ONLY usage_event_inbox_1 ALTER COLUMN origin SET STORAGE EXTERNAL;
ALTER TABLE ONLY usage_event_inbox_1 ALTER COLUMN events SET STORAGE EXTERNAL;
CREATE TABLE usage_event_inbox_2 (
    slot smallint NOT NULL,
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    livemode boolean NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    owners integer[] NOT NULL,
    count integer NOT NULL,
    origin text NOT NULL,
    events text NOT NULL,
    CONSTRAINT usage_event_inbox_count_check CHECK ((count > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1', autovacuum_analyze_threshold='2000000000');
ALTER TABLE ONLY usage_event_inbox_2 ALTER COLUMN origin SET STORAGE EXTERNAL;
ALTER TABLE ONLY usage_event_inbox_2 ALTER COLUMN events SET STORAGE EXTERNAL;
CREATE TABLE usage_event_inbox_3 (
    slot smallint NOT NULL,
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    livemode boolean NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    owners integer[] NOT NULL,
    count integer NOT NULL,
    origin text NOT NULL,
    events text NOT NULL,
    CONSTRAINT usage_event_inbox_count_check CHECK ((count > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1', autovacuum_analyze_threshold='2000000000');
ALTER TABLE ONLY usage_event_inbox_3 ALTER COLUMN origin SET STORAGE EXTERNAL;
ALTER TABLE ONLY usage_event_inbox_3 ALTER COLUMN events SET STORAGE EXTERNAL;
CREATE TABLE usage_event_inbox_4 (
    slot smallint NOT NULL,
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    livemode boolean NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    owners integer[] NOT NULL,
    count integer NOT NULL,
    origin text NOT NULL,
    events text NOT NULL,
    CONSTRAINT usage_event_inbox_count_check CHECK ((count > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1', autovacuum_analyze_threshold='2000000000');
ALTER TABLE ONLY usage_event_inbox_4 ALTER COLUMN origin SET STORAGE EXTERNAL;
ALTER TABLE ONLY usage_event_inbox_4 ALTER COLUMN events SET STORAGE EXTERNAL;
CREATE TABLE usage_event_inbox_5 (
    slot smallint NOT NULL,
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    livemode boolean NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    owners integer[] NOT NULL,
    count integer NOT NULL,
    origin text NOT NULL,
    events text NOT NULL,
    CONSTRAINT usage_event_inbox_count_check CHECK ((count > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1', autovacuum_analyze_threshold='2000000000');
ALTER TABLE ONLY usage_event_inbox_5 ALTER COLUMN origin SET STORAGE EXTERNAL;
ALTER TABLE ONLY usage_event_inbox_5 ALTER COLUMN events SET STORAGE EXTERNAL;
CREATE TABLE usage_event_inbox_6 (
    slot smallint NOT NULL,
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    livemode boolean NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    owners integer[] NOT NULL,
    count integer NOT NULL,
    origin text NOT NULL,
    events text NOT NULL,
    CONSTRAINT usage_event_inbox_count_check CHECK ((count > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1', autovacuum_analyze_threshold='2000000000');
ALTER TABLE ONLY usage_event_inbox_6 ALTER COLUMN origin SET STORAGE EXTERNAL;
ALTER TABLE ONLY usage_event_inbox_6 ALTER COLUMN events SET STORAGE EXTERNAL;
CREATE TABLE usage_event_inbox_7 (
    slot smallint NOT NULL,
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    "position" text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    livemode boolean NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    owners integer[] NOT NULL,
    count integer NOT NULL,
    origin text NOT NULL,
    events text NOT NULL,
    CONSTRAINT usage_event_inbox_count_check CHECK ((count > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_insert_threshold='-1', autovacuum_analyze_threshold='2000000000');
ALTER TABLE ONLY usage_event_inbox_7 ALTER COLUMN origin SET STORAGE EXTERNAL;
ALTER TABLE ONLY usage_event_inbox_7 ALTER COLUMN events SET STORAGE EXTERNAL;
CREATE TABLE usage_event_inbox_lease (
    pricing_model_id text NOT NULL,
    slot smallint NOT NULL,
    holder text NOT NULL,
    until timestamptz NOT NULL
);
CREATE TABLE usage_event_key (
    id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamptz(3) NOT NULL,
    recorded_at timestamptz(3) NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    organization_id text NOT NULL
);
CREATE TABLE usage_event_month (
    name text NOT NULL,
    changes bigint DEFAULT 0 NOT NULL
);
CREATE SEQUENCE usage_event_position_seq;
CREATE TABLE usage_event_rest (
    pricing_model_id text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    id text NOT NULL,
    recorded_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id text NOT NULL,
    customer_id text NOT NULL,
    subscription_id text NOT NULL,
    usage_meter_id text NOT NULL,
    price_id text NOT NULL,
    billing_period_id text,
    amount numeric NOT NULL,
    usage_date timestamptz(3) NOT NULL,
    transaction_id text NOT NULL,
    properties jsonb,
    place integer DEFAULT 0 NOT NULL,
    voided_at timestamptz(3),
    void_reason text,
    replaced_by_id text,
    voided_after_billing boolean DEFAULT false NOT NULL,
    first_recorded_at timestamptz(3),
    after_end boolean DEFAULT false NOT NULL,
    left_out_by text,
    order_at timestamptz(3),
    order_place integer,
    "position" bigint DEFAULT 0 NOT NULL,
    CONSTRAINT usage_event_after_end CHECK (((NOT after_end) OR (billing_period_id IS NULL))),
    CONSTRAINT usage_event_amount CHECK (((amount > (0)::numeric) AND (scale(amount) <= 9))),
    CONSTRAINT usage_event_transaction CHECK (((length(transaction_id) >= 1) AND (length(transaction_id) <= 255)))
);
CREATE TABLE usage_forward (
    "position" text NOT NULL COLLATE pg_catalog."C",
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    livemode boolean NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    origin text NOT NULL,
    events jsonb NOT NULL
);
CREATE TABLE usage_history_file (
    organization_id varchar(255) NOT NULL,
    livemode boolean NOT NULL,
    month date NOT NULL,
    path text NOT NULL,
    bytes bigint NOT NULL,
    sha256 text NOT NULL,
    events bigint NOT NULL,
    events_of jsonb NOT NULL,
    first_created_at timestamptz(3) NOT NULL,
    last_created_at timestamptz(3) NOT NULL,
    first_usage_date timestamptz(3) NOT NULL,
    last_usage_date timestamptz(3) NOT NULL,
    created_at timestamptz(3) DEFAULT now() NOT NULL,
    checked_at timestamptz(3),
    problem text,
    CONSTRAINT usage_history_file_bytes_check CHECK ((bytes > 0)),
    CONSTRAINT usage_history_file_events_check CHECK ((events > 0)),
    CONSTRAINT usage_history_file_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
CREATE TABLE usage_hour (
    balance_id varchar(255) NOT NULL,
    hour timestamptz(3) NOT NULL,
    usage numeric NOT NULL,
    events bigint NOT NULL,
    first_at timestamptz(3) NOT NULL,
    last_at timestamptz(3) NOT NULL,
    changed_at timestamptz(3) NOT NULL,
    counted boolean DEFAULT false NOT NULL,
    organization_id varchar(255) NOT NULL
)
WITH (fillfactor='40');
CREATE TABLE usage_meter (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    slug varchar(255) NOT NULL,
    aggregation_type text DEFAULT 'sum'::text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    "position" bigint NOT NULL,
    tax_code varchar(255),
    CONSTRAINT usage_meter_aggregation_type_check CHECK ((aggregation_type = ANY (ARRAY['sum'::text, 'count_distinct_properties'::text, 'count'::text, 'max'::text, 'last'::text])))
);
CREATE TABLE usage_meter_balance (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    subscription_id varchar(255) NOT NULL,
    usage_meter_id varchar(255) NOT NULL,
    customer_id varchar(255) NOT NULL,
    usage numeric DEFAULT '0'::numeric NOT NULL,
    credits numeric DEFAULT '0'::numeric NOT NULL,
    overage numeric DEFAULT '0'::numeric NOT NULL,
    granted numeric DEFAULT '0'::numeric NOT NULL,
    expired numeric DEFAULT '0'::numeric NOT NULL,
    billed numeric DEFAULT '0'::numeric NOT NULL,
    "position" bigint NOT NULL,
    CONSTRAINT usage_meter_balance_credits CHECK ((credits >= (0)::numeric)),
    CONSTRAINT usage_meter_balance_zero CHECK (((((((usage + credits) + overage) + granted) + expired) + billed) = (0)::numeric))
)
WITH (fillfactor='40');
CREATE SEQUENCE usage_meter_balance_position_seq;
ALTER SEQUENCE usage_meter_balance_position_seq OWNED BY usage_meter_balance."position";
CREATE TABLE usage_meter_part (
    usage_meter_id varchar(255) NOT NULL,
    property varchar(255) NOT NULL,
    hour timestamptz(3) NOT NULL,
    value varchar(255) NOT NULL,
    amount numeric NOT NULL,
    events bigint NOT NULL,
    organization_id varchar(255) NOT NULL
)
WITH (fillfactor='70');
CREATE SEQUENCE usage_meter_position_seq;
ALTER SEQUENCE usage_meter_position_seq OWNED BY usage_meter."position";
CREATE TABLE usage_part (
    balance_id varchar(255) NOT NULL,
    property varchar(255) NOT NULL,
    hour timestamptz(3) NOT NULL,
    value varchar(255) NOT NULL,
    usage_meter_id varchar(255) NOT NULL,
    amount numeric NOT NULL,
    events bigint NOT NULL,
    largest numeric NOT NULL,
    last_amount numeric,
    last_date timestamptz(3),
    last_order_at timestamptz(3),
    last_place integer,
    last_id varchar(255),
    organization_id varchar(255) NOT NULL
);
CREATE TABLE usage_refusal (
    id varchar(255) NOT NULL,
    "position" bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    acceptance_id varchar(255) NOT NULL,
    accepted_at timestamptz(3) NOT NULL,
    count integer NOT NULL,
    events jsonb NOT NULL,
    CONSTRAINT usage_refusal_count CHECK ((count > 0))
);
CREATE SEQUENCE usage_refusal_position_seq;
ALTER SEQUENCE usage_refusal_position_seq OWNED BY usage_refusal."position";
CREATE TABLE usage_stream_cursor (
    stream text NOT NULL COLLATE pg_catalog."C",
    sequence bigint DEFAULT 0 NOT NULL,
    missing bigint DEFAULT 0 NOT NULL,
    holder text,
    until timestamptz,
    CONSTRAINT usage_stream_cursor_missing_check CHECK ((missing >= 0)),
    CONSTRAINT usage_stream_cursor_sequence_check CHECK ((sequence >= 0))
);
CREATE TABLE usage_stream_model (
    pricing_model_id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL,
    created_at timestamptz(3) DEFAULT now() NOT NULL
);
CREATE TABLE usage_total (
    balance_id varchar(255) NOT NULL,
    billing_period_id varchar(255) NOT NULL,
    price_id varchar(255) NOT NULL,
    usage numeric NOT NULL,
    events bigint NOT NULL,
    last_usage_date timestamptz(3),
    last_event_id varchar(255),
    digest jsonb,
    organization_id varchar(255) NOT NULL,
    cells jsonb
)
WITH (fillfactor='40');
CREATE TABLE usage_watch (
    subscription_id varchar(255) NOT NULL,
    due_at timestamptz(3),
    organization_id varchar(255) NOT NULL,
    bill_due_at timestamptz(3)
);
CREATE TABLE webhook (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    name varchar(255) NOT NULL,
    url text NOT NULL,
    filter_types text[] NOT NULL,
    active boolean DEFAULT true NOT NULL,
    secret text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    disabled_reason text,
    previous_secret text,
    previous_secret_until timestamptz(3),
    failing_since timestamptz(3),
    "position" bigint NOT NULL
);
CREATE TABLE webhook_delivery (
    id varchar(255) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    livemode boolean NOT NULL,
    organization_id varchar(255) NOT NULL,
    pricing_model_id varchar(255) NOT NULL,
    webhook_id varchar(255) NOT NULL,
    event_id varchar(255) NOT NULL,
    event_type varchar(255) NOT NULL,
    sequence bigint NOT NULL,
    object_id varchar(255) NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempt_count integer DEFAULT 0 NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    next_attempt_at timestamptz(3),
    delivered_at timestamptz(3),
    claim varchar(255),
    claimed_until timestamptz(3),
    "position" bigint GENERATED ALWAYS AS (sequence) STORED,
    CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE SEQUENCE webhook_position_seq;
ALTER SEQUENCE webhook_position_seq OWNED BY webhook."position";
ALTER TABLE ONLY usage_event_inbox ATTACH PARTITION usage_event_inbox_0 FOR VALUES IN ('0');
ALTER TABLE ONLY usage_event_inbox ATTACH PARTITION usage_event_inbox_1 FOR VALUES IN ('1');
ALTER TABLE ONLY usage_event_inbox ATTACH PARTITION usage_event_inbox_2 FOR VALUES IN ('2');
ALTER TABLE ONLY usage_event_inbox ATTACH PARTITION usage_event_inbox_3 FOR VALUES IN ('3');
ALTER TABLE ONLY usage_event_inbox ATTACH PARTITION usage_event_inbox_4 FOR VALUES IN ('4');
ALTER TABLE ONLY usage_event_inbox ATTACH PARTITION usage_event_inbox_5 FOR VALUES IN ('5');
ALTER TABLE ONLY usage_event_inbox ATTACH PARTITION usage_event_inbox_6 FOR VALUES IN ('6');
ALTER TABLE ONLY usage_event_inbox ATTACH PARTITION usage_event_inbox_7 FOR VALUES IN ('7');
ALTER TABLE ONLY usage_event ATTACH PARTITION usage_event_rest DEFAULT;
ALTER TABLE ONLY alert ALTER COLUMN "position" SET DEFAULT nextval('alert_position_seq'::regclass);
ALTER TABLE ONLY alert_crossing ALTER COLUMN "position" SET DEFAULT nextval('alert_crossing_position_seq'::regclass);
ALTER TABLE ONLY alert_rule ALTER COLUMN "position" SET DEFAULT nextval('alert_rule_position_seq'::regclass);
ALTER TABLE ONLY api_key ALTER COLUMN "position" SET DEFAULT nextval('api_key_position_seq'::regclass);
ALTER TABLE ONLY billing_period ALTER COLUMN "position" SET DEFAULT nextval('billing_period_position_seq'::regclass);
ALTER TABLE ONLY billing_run ALTER COLUMN "position" SET DEFAULT nextval('billing_run_position_seq'::regclass);
ALTER TABLE ONLY book_difference ALTER COLUMN "position" SET DEFAULT nextval('book_difference_position_seq'::regclass);
ALTER TABLE ONLY cause ALTER COLUMN "position" SET DEFAULT nextval('cause_position_seq'::regclass);
ALTER TABLE ONLY checkout_session ALTER COLUMN "position" SET DEFAULT nextval('checkout_session_position_seq'::regclass);
ALTER TABLE ONLY consolidated_invoice ALTER COLUMN "position" SET DEFAULT nextval('consolidated_invoice_position_seq'::regclass);
ALTER TABLE ONLY credit_note ALTER COLUMN "position" SET DEFAULT nextval('credit_note_position_seq'::regclass);
ALTER TABLE ONLY cron_run ALTER COLUMN "position" SET DEFAULT nextval('cron_run_position_seq'::regclass);
ALTER TABLE ONLY customer ALTER COLUMN "position" SET DEFAULT nextval('customer_position_seq'::regclass);
ALTER TABLE ONLY customer_token ALTER COLUMN "position" SET DEFAULT nextval('customer_token_position_seq'::regclass);
ALTER TABLE ONLY discount ALTER COLUMN "position" SET DEFAULT nextval('discount_position_seq'::regclass);
ALTER TABLE ONLY discount_redemption ALTER COLUMN "position" SET DEFAULT nextval('discount_redemption_position_seq'::regclass);
ALTER TABLE ONLY dispute ALTER COLUMN "position" SET DEFAULT nextval('dispute_position_seq'::regclass);
ALTER TABLE ONLY feature ALTER COLUMN "position" SET DEFAULT nextval('feature_position_seq'::regclass);
ALTER TABLE ONLY invoice ALTER COLUMN "position" SET DEFAULT nextval('invoice_position_seq'::regclass);
ALTER TABLE ONLY invoice_line_item ALTER COLUMN "position" SET DEFAULT nextval('invoice_line_item_position_seq'::regclass);
ALTER TABLE ONLY ledger_transaction ALTER COLUMN "position" SET DEFAULT nextval('ledger_transaction_position_seq'::regclass);
ALTER TABLE ONLY mail_settings ALTER COLUMN "position" SET DEFAULT nextval('mail_settings_position_seq'::regclass);
ALTER TABLE ONLY mail_template ALTER COLUMN "position" SET DEFAULT nextval('mail_template_position_seq'::regclass);
ALTER TABLE ONLY one_off_charge ALTER COLUMN "position" SET DEFAULT nextval('one_off_charge_position_seq'::regclass);
ALTER TABLE ONLY operator ALTER COLUMN "position" SET DEFAULT nextval('operator_position_seq'::regclass);
ALTER TABLE ONLY operator_invitation ALTER COLUMN "position" SET DEFAULT nextval('operator_invitation_position_seq'::regclass);
ALTER TABLE ONLY operator_session ALTER COLUMN "position" SET DEFAULT nextval('operator_session_position_seq'::regclass);
ALTER TABLE ONLY organization_settings ALTER COLUMN "position" SET DEFAULT nextval('organization_settings_position_seq'::regclass);
ALTER TABLE ONLY payment ALTER COLUMN "position" SET DEFAULT nextval('payment_position_seq'::regclass);
ALTER TABLE ONLY payment_method ALTER COLUMN "position" SET DEFAULT nextval('payment_method_position_seq'::regclass);
ALTER TABLE ONLY payment_method_setup ALTER COLUMN "position" SET DEFAULT nextval('payment_method_setup_position_seq'::regclass);
ALTER TABLE ONLY prepaid_credit ALTER COLUMN "position" SET DEFAULT nextval('prepaid_credit_position_seq'::regclass);
ALTER TABLE ONLY prepaid_top_up ALTER COLUMN "position" SET DEFAULT nextval('prepaid_top_up_position_seq'::regclass);
ALTER TABLE ONLY price ALTER COLUMN "position" SET DEFAULT nextval('price_position_seq'::regclass);
ALTER TABLE ONLY price_move ALTER COLUMN "position" SET DEFAULT nextval('price_move_position_seq'::regclass);
ALTER TABLE ONLY pricing_model ALTER COLUMN "position" SET DEFAULT nextval('pricing_model_position_seq'::regclass);
ALTER TABLE ONLY processor_account ALTER COLUMN "position" SET DEFAULT nextval('processor_account_position_seq'::regclass);
ALTER TABLE ONLY processor_difference ALTER COLUMN "position" SET DEFAULT nextval('processor_difference_position_seq'::regclass);
ALTER TABLE ONLY product ALTER COLUMN "position" SET DEFAULT nextval('product_position_seq'::regclass);
ALTER TABLE ONLY product_feature ALTER COLUMN "position" SET DEFAULT nextval('product_feature_position_seq'::regclass);
ALTER TABLE ONLY purchase ALTER COLUMN "position" SET DEFAULT nextval('purchase_position_seq'::regclass);
ALTER TABLE ONLY refund ALTER COLUMN "position" SET DEFAULT nextval('refund_position_seq'::regclass);
ALTER TABLE ONLY remittance ALTER COLUMN "position" SET DEFAULT nextval('remittance_position_seq'::regclass);
ALTER TABLE ONLY reservation ALTER COLUMN "position" SET DEFAULT nextval('reservation_position_seq'::regclass);
ALTER TABLE ONLY resource ALTER COLUMN "position" SET DEFAULT nextval('resource_position_seq'::regclass);
ALTER TABLE ONLY resource_claim ALTER COLUMN "position" SET DEFAULT nextval('resource_claim_position_seq'::regclass);
ALTER TABLE ONLY sandbox_notice ALTER COLUMN id SET DEFAULT (((floor((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric)))::bigint * 1024) + (nextval('sandbox_notice_id_seq'::regclass) & (1023)::bigint));
ALTER TABLE ONLY subscription ALTER COLUMN "position" SET DEFAULT nextval('subscription_position_seq'::regclass);
ALTER TABLE ONLY subscription_item ALTER COLUMN "position" SET DEFAULT nextval('subscription_item_position_seq'::regclass);
ALTER TABLE ONLY subscription_item_feature ALTER COLUMN "position" SET DEFAULT nextval('subscription_item_feature_position_seq'::regclass);
ALTER TABLE ONLY subscription_phase ALTER COLUMN "position" SET DEFAULT nextval('subscription_phase_position_seq'::regclass);
ALTER TABLE ONLY tax_rate ALTER COLUMN "position" SET DEFAULT nextval('tax_rate_position_seq'::regclass);
ALTER TABLE ONLY test_clock ALTER COLUMN "position" SET DEFAULT nextval('test_clock_position_seq'::regclass);
ALTER TABLE ONLY top_up ALTER COLUMN "position" SET DEFAULT nextval('top_up_position_seq'::regclass);
ALTER TABLE ONLY usage_credit ALTER COLUMN "position" SET DEFAULT nextval('usage_credit_position_seq'::regclass);
ALTER TABLE ONLY usage_meter ALTER COLUMN "position" SET DEFAULT nextval('usage_meter_position_seq'::regclass);
ALTER TABLE ONLY usage_meter_balance ALTER COLUMN "position" SET DEFAULT nextval('usage_meter_balance_position_seq'::regclass);
ALTER TABLE ONLY usage_refusal ALTER COLUMN "position" SET DEFAULT nextval('usage_refusal_position_seq'::regclass);
ALTER TABLE ONLY webhook ALTER COLUMN "position" SET DEFAULT nextval('webhook_position_seq'::regclass);
alter table ONLY alert_crossing add CONSTRAINT alert_crossing_pkey PRIMARY KEY (id);
alter table ONLY alert add CONSTRAINT alert_pkey PRIMARY KEY (id);
alter table ONLY alert_rule add CONSTRAINT alert_rule_pkey PRIMARY KEY (id);
alter table ONLY alert_rule add CONSTRAINT alert_rule_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY alert add CONSTRAINT alert_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY api_key add CONSTRAINT api_key_hash_text_unique UNIQUE (hash_text);
alter table ONLY api_key add CONSTRAINT api_key_pkey PRIMARY KEY (id);
alter table ONLY billing_period add CONSTRAINT billing_period_id_organization UNIQUE (id, organization_id);
alter table ONLY billing_period_item add CONSTRAINT billing_period_item_period_unique UNIQUE (billing_period_id, "position");
alter table ONLY billing_period_item add CONSTRAINT billing_period_item_pkey PRIMARY KEY (id);
alter table ONLY billing_period add CONSTRAINT billing_period_no_overlap EXCLUDE USING gist (subscription_id WITH =, tstzrange(start_date, end_date) WITH &&) WHERE ((status <> 'canceled'::text));
alter table ONLY billing_period add CONSTRAINT billing_period_pkey PRIMARY KEY (id);
alter table ONLY billing_period add CONSTRAINT billing_period_start_unique UNIQUE (subscription_id, start_date);
alter table ONLY billing_period add CONSTRAINT billing_period_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY billing_run add CONSTRAINT billing_run_pkey PRIMARY KEY (id);
alter table ONLY billing_run add CONSTRAINT billing_run_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY book_difference add CONSTRAINT book_difference_pkey PRIMARY KEY (id);
alter table ONLY book_opening add CONSTRAINT book_opening_pkey PRIMARY KEY (customer_id, currency);
alter table ONLY cause add CONSTRAINT cause_pkey PRIMARY KEY (id);
alter table ONLY checkout_session add CONSTRAINT checkout_session_pkey PRIMARY KEY (id);
alter table ONLY checkout_session add CONSTRAINT checkout_session_purchase_unique UNIQUE (purchase_id);
alter table ONLY checkout_session add CONSTRAINT checkout_session_setup_unique UNIQUE (setup_id);
alter table ONLY consolidated_invoice add CONSTRAINT consolidated_invoice_number_unique UNIQUE (customer_id, invoice_number);
alter table ONLY consolidated_invoice add CONSTRAINT consolidated_invoice_pkey PRIMARY KEY (id);
alter table ONLY consolidated_invoice add CONSTRAINT consolidated_invoice_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY consolidated_invoice add CONSTRAINT consolidated_invoice_terms_unique UNIQUE (id, customer_id, currency, collection_method, due_date);
alter table ONLY credit_note add CONSTRAINT credit_note_id_organization UNIQUE (id, organization_id);
alter table ONLY credit_note add CONSTRAINT credit_note_id_tenant UNIQUE (id, pricing_model_id);
alter table ONLY credit_note_line add CONSTRAINT credit_note_line_pkey PRIMARY KEY (id);
alter table ONLY credit_note add CONSTRAINT credit_note_number_unique UNIQUE (customer_id, credit_note_number);
alter table ONLY credit_note add CONSTRAINT credit_note_pkey PRIMARY KEY (id);
alter table ONLY cron_run add CONSTRAINT cron_run_pkey PRIMARY KEY (id);
alter table ONLY customer add CONSTRAINT customer_currency_unique UNIQUE (id, currency);
alter table ONLY customer add CONSTRAINT customer_id_organization UNIQUE (id, organization_id);
alter table ONLY customer add CONSTRAINT customer_invoice_number_base_unique UNIQUE (organization_id, livemode, invoice_number_base);
alter table ONLY customer add CONSTRAINT customer_pkey PRIMARY KEY (id);
alter table ONLY customer add CONSTRAINT customer_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY customer_token add CONSTRAINT customer_token_pkey PRIMARY KEY (id);
alter table ONLY discount add CONSTRAINT discount_code_unique UNIQUE (pricing_model_id, code);
alter table ONLY discount add CONSTRAINT discount_id_tenant UNIQUE (id, pricing_model_id);
alter table ONLY discount add CONSTRAINT discount_pkey PRIMARY KEY (id);
alter table ONLY discount_redemption add CONSTRAINT discount_redemption_pkey PRIMARY KEY (id);
alter table ONLY dispute add CONSTRAINT dispute_pkey PRIMARY KEY (id);
alter table ONLY dispute add CONSTRAINT dispute_reference_unique UNIQUE (payment_id, processor_reference);
alter table ONLY event_head add CONSTRAINT event_head_pkey PRIMARY KEY (organization_id, livemode);
alter table ONLY event add CONSTRAINT event_pkey PRIMARY KEY (id);
alter table ONLY feature add CONSTRAINT feature_pkey PRIMARY KEY (id);
alter table ONLY feature add CONSTRAINT feature_slug_unique UNIQUE (pricing_model_id, slug);
alter table ONLY feature add CONSTRAINT feature_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY idempotency_key add CONSTRAINT idempotency_key_pkey PRIMARY KEY (pricing_model_id, key);
alter table ONLY invoice add CONSTRAINT invoice_currency_unique UNIQUE (id, currency);
alter table ONLY invoice_line_item add CONSTRAINT invoice_line_item_pkey PRIMARY KEY (id);
alter table ONLY invoice add CONSTRAINT invoice_number_unique UNIQUE (customer_id, invoice_number);
alter table ONLY invoice add CONSTRAINT invoice_owner_unique UNIQUE (id, customer_id);
alter table ONLY invoice add CONSTRAINT invoice_pkey PRIMARY KEY (id);
alter table ONLY invoice add CONSTRAINT invoice_prepaid_credit_unique UNIQUE (prepaid_credit_id);
alter table ONLY invoice add CONSTRAINT invoice_purchase_unique UNIQUE (purchase_id);
alter table ONLY invoice add CONSTRAINT invoice_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY ledger_transaction add CONSTRAINT ledger_transaction_pkey PRIMARY KEY (id);
alter table ONLY mail add CONSTRAINT mail_once UNIQUE (event_id, kind);
alter table ONLY mail add CONSTRAINT mail_pkey PRIMARY KEY (id);
alter table ONLY mail_settings add CONSTRAINT mail_settings_mode_unique UNIQUE (organization_id, livemode);
alter table ONLY mail_settings add CONSTRAINT mail_settings_pkey PRIMARY KEY (id);
alter table ONLY mail_template add CONSTRAINT mail_template_pkey PRIMARY KEY (id);
alter table ONLY mail_template add CONSTRAINT mail_template_unique UNIQUE (organization_id, livemode, kind, language);
alter table ONLY mrr_change add CONSTRAINT mrr_change_pkey PRIMARY KEY (subscription_id, product_id, at);
alter table ONLY mrr_movement add CONSTRAINT mrr_movement_pkey PRIMARY KEY (customer_id, currency, product_id, at);
alter table ONLY one_off_charge add CONSTRAINT one_off_charge_pkey PRIMARY KEY (id);
alter table ONLY operator add CONSTRAINT operator_email_unique UNIQUE (email);
alter table ONLY operator_invitation add CONSTRAINT operator_invitation_hash_text_unique UNIQUE (hash_text);
alter table ONLY operator_invitation add CONSTRAINT operator_invitation_pkey PRIMARY KEY (id);
alter table ONLY operator add CONSTRAINT operator_owner_unique UNIQUE (id, organization_id);
alter table ONLY operator add CONSTRAINT operator_pkey PRIMARY KEY (id);
alter table ONLY operator_session add CONSTRAINT operator_session_hash_text_unique UNIQUE (hash_text);
alter table ONLY operator_session add CONSTRAINT operator_session_pkey PRIMARY KEY (id);
alter table ONLY organization_logo add CONSTRAINT organization_logo_digest_unique UNIQUE (organization_id, livemode, digest);
alter table ONLY organization_logo add CONSTRAINT organization_logo_pkey PRIMARY KEY (id);
alter table ONLY organization_move add CONSTRAINT organization_move_pkey PRIMARY KEY (organization_id);
alter table ONLY organization add CONSTRAINT organization_pkey PRIMARY KEY (id);
alter table ONLY organization_settings add CONSTRAINT organization_settings_mode_unique UNIQUE (organization_id, livemode);
alter table ONLY organization_settings add CONSTRAINT organization_settings_pkey PRIMARY KEY (id);
alter table ONLY owed_usage add CONSTRAINT owed_usage_pkey PRIMARY KEY (id);
alter table ONLY payment add CONSTRAINT payment_attempt_unique UNIQUE (idempotency_key);
alter table ONLY payment add CONSTRAINT payment_currency_unique UNIQUE (id, currency);
alter table ONLY payment_method add CONSTRAINT payment_method_pkey PRIMARY KEY (id);
alter table ONLY payment_method_setup add CONSTRAINT payment_method_setup_pkey PRIMARY KEY (id);
alter table ONLY payment_method add CONSTRAINT payment_method_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY payment add CONSTRAINT payment_pkey PRIMARY KEY (id);
alter table ONLY payment add CONSTRAINT payment_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY prepaid_credit add CONSTRAINT prepaid_credit_id_organization UNIQUE (id, organization_id);
alter table ONLY prepaid_credit add CONSTRAINT prepaid_credit_invoice_unique UNIQUE (invoice_id);
alter table ONLY prepaid_credit add CONSTRAINT prepaid_credit_pkey PRIMARY KEY (id);
alter table ONLY prepaid_credit add CONSTRAINT prepaid_credit_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY prepaid_credit_use add CONSTRAINT prepaid_credit_use_pkey PRIMARY KEY (credit_id, invoice_id);
alter table ONLY prepaid_top_up add CONSTRAINT prepaid_top_up_pkey PRIMARY KEY (id);
alter table ONLY price_move add CONSTRAINT price_move_pkey PRIMARY KEY (id);
alter table ONLY price add CONSTRAINT price_pkey PRIMARY KEY (id);
alter table ONLY price add CONSTRAINT price_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY pricing_model add CONSTRAINT pricing_model_pkey PRIMARY KEY (id);
alter table ONLY pricing_model add CONSTRAINT pricing_model_tenant_unique UNIQUE (id, organization_id, livemode);
alter table ONLY processor_account add CONSTRAINT processor_account_id_organization UNIQUE (id, organization_id);
alter table ONLY processor_account add CONSTRAINT processor_account_pkey PRIMARY KEY (id);
alter table ONLY processor_account add CONSTRAINT processor_account_reference_unique UNIQUE (organization_id, livemode, kind, account_reference);
alter table ONLY processor_customer add CONSTRAINT processor_customer_pkey PRIMARY KEY (customer_id, processor, account);
alter table ONLY processor_difference add CONSTRAINT processor_difference_pkey PRIMARY KEY (id);
alter table ONLY processor_event add CONSTRAINT processor_event_pkey PRIMARY KEY (id);
alter table ONLY processor_event add CONSTRAINT processor_event_unique UNIQUE (processor_account_id, event_id);
alter table ONLY product_feature add CONSTRAINT product_feature_pkey PRIMARY KEY (id);
alter table ONLY product_feature add CONSTRAINT product_feature_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY product_feature add CONSTRAINT product_feature_unique UNIQUE (product_id, feature_id);
alter table ONLY product add CONSTRAINT product_pkey PRIMARY KEY (id);
alter table ONLY product add CONSTRAINT product_slug_unique UNIQUE (pricing_model_id, slug);
alter table ONLY product add CONSTRAINT product_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY purchase add CONSTRAINT purchase_id_tenant UNIQUE (id, pricing_model_id);
alter table ONLY purchase add CONSTRAINT purchase_pkey PRIMARY KEY (id);
alter table ONLY refund add CONSTRAINT refund_pkey PRIMARY KEY (id);
alter table ONLY remittance add CONSTRAINT remittance_currency_unique UNIQUE (id, currency);
alter table ONLY remittance add CONSTRAINT remittance_owner_unique UNIQUE (id, customer_id);
alter table ONLY remittance add CONSTRAINT remittance_pkey PRIMARY KEY (id);
alter table ONLY remittance add CONSTRAINT remittance_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY reservation add CONSTRAINT reservation_pkey PRIMARY KEY (id);
alter table ONLY resource_claim_count add CONSTRAINT resource_claim_count_pkey PRIMARY KEY (subscription_id, resource_id, expires_at);
alter table ONLY resource_claim add CONSTRAINT resource_claim_pkey PRIMARY KEY (id);
alter table ONLY resource add CONSTRAINT resource_pkey PRIMARY KEY (id);
alter table ONLY resource add CONSTRAINT resource_slug_unique UNIQUE (pricing_model_id, slug);
alter table ONLY resource add CONSTRAINT resource_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY revenue_day add CONSTRAINT revenue_day_pkey PRIMARY KEY (pricing_model_id, currency, day, slot);
alter table ONLY row_count add CONSTRAINT row_count_pkey PRIMARY KEY (relation, pricing_model_id, slot);
alter table ONLY sandbox_charge add CONSTRAINT sandbox_charge_pkey PRIMARY KEY (idempotency_key);
alter table ONLY sandbox_dispute add CONSTRAINT sandbox_dispute_pkey PRIMARY KEY (reference);
alter table ONLY sandbox_notice add CONSTRAINT sandbox_notice_pkey PRIMARY KEY (id);
alter table ONLY sandbox_page add CONSTRAINT sandbox_page_key_unique UNIQUE (idempotency_key);
alter table ONLY sandbox_page add CONSTRAINT sandbox_page_pkey PRIMARY KEY (reference);
alter table ONLY sandbox_refund add CONSTRAINT sandbox_refund_pkey PRIMARY KEY (idempotency_key);
alter table ONLY secrets_key add CONSTRAINT secrets_key_pkey PRIMARY KEY (id);
alter table ONLY sign_in_attempt add CONSTRAINT sign_in_attempt_pkey PRIMARY KEY (id);
alter table ONLY statistic_day add CONSTRAINT statistic_day_pkey PRIMARY KEY (pricing_model_id, series, product_id, day, currency, slot);
alter table ONLY subscription add CONSTRAINT subscription_currency_unique UNIQUE (id, currency);
alter table ONLY subscription add CONSTRAINT subscription_id_organization UNIQUE (id, organization_id);
alter table ONLY subscription_item_feature add CONSTRAINT subscription_item_feature_pkey PRIMARY KEY (id);
alter table ONLY subscription_item_feature add CONSTRAINT subscription_item_feature_unique UNIQUE (feature_id, subscription_item_id);
alter table ONLY subscription_item add CONSTRAINT subscription_item_pkey PRIMARY KEY (id);
alter table ONLY subscription_item add CONSTRAINT subscription_item_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY subscription_phase add CONSTRAINT subscription_phase_pkey PRIMARY KEY (id);
alter table ONLY subscription add CONSTRAINT subscription_pkey PRIMARY KEY (id);
alter table ONLY subscription_status_change add CONSTRAINT subscription_status_change_pkey PRIMARY KEY (subscription_id, at);
alter table ONLY subscription add CONSTRAINT subscription_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY tax_rate add CONSTRAINT tax_rate_no_overlap EXCLUDE USING gist (pricing_model_id WITH =, country WITH =, COALESCE(state, ''::varchar) WITH =, COALESCE(postal_prefix, ''::varchar) WITH =, tax_type WITH =, COALESCE(tax_code, ''::varchar) WITH =, customer_kind WITH =, tstzrange(valid_from, valid_until) WITH &&);
alter table ONLY tax_rate add CONSTRAINT tax_rate_pkey PRIMARY KEY (id);
alter table ONLY test_clock add CONSTRAINT test_clock_pkey PRIMARY KEY (id);
alter table ONLY test_clock add CONSTRAINT test_clock_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY top_up add CONSTRAINT top_up_pkey PRIMARY KEY (id);
alter table ONLY usage_credit_application add CONSTRAINT usage_credit_application_pkey PRIMARY KEY (credit_id, billing_period_id);
alter table ONLY usage_credit add CONSTRAINT usage_credit_id_organization UNIQUE (id, organization_id);
alter table ONLY usage_credit add CONSTRAINT usage_credit_pkey PRIMARY KEY (id);
alter table ONLY usage_event_distinct add CONSTRAINT usage_event_distinct_pkey PRIMARY KEY (digest);
alter table ONLY usage_event_inbox add CONSTRAINT usage_event_inbox_pkey PRIMARY KEY (pricing_model_id, "position", slot);
alter table ONLY usage_event_inbox_0 add CONSTRAINT usage_event_inbox_0_pkey PRIMARY KEY (pricing_model_id, "position", slot);
alter table ONLY usage_event_inbox_1 add CONSTRAINT usage_event_inbox_1_pkey PRIMARY KEY (pricing_model_id, "position", slot);
alter table ONLY usage_event_inbox_2 add CONSTRAINT usage_event_inbox_2_pkey PRIMARY KEY (pricing_model_id, "position", slot);
alter table ONLY usage_event_inbox_3 add CONSTRAINT usage_event_inbox_3_pkey PRIMARY KEY (pricing_model_id, "position", slot);
alter table ONLY usage_event_inbox_4 add CONSTRAINT usage_event_inbox_4_pkey PRIMARY KEY (pricing_model_id, "position", slot);
alter table ONLY usage_event_inbox_5 add CONSTRAINT usage_event_inbox_5_pkey PRIMARY KEY (pricing_model_id, "position", slot);
alter table ONLY usage_event_inbox_6 add CONSTRAINT usage_event_inbox_6_pkey PRIMARY KEY (pricing_model_id, "position", slot);
alter table ONLY usage_event_inbox_7 add CONSTRAINT usage_event_inbox_7_pkey PRIMARY KEY (pricing_model_id, "position", slot);
alter table ONLY usage_event_inbox_lease add CONSTRAINT usage_event_inbox_lease_pkey PRIMARY KEY (pricing_model_id, slot);
alter table ONLY usage_event_key add CONSTRAINT usage_event_key_pkey PRIMARY KEY (id);
alter table ONLY usage_event_month add CONSTRAINT usage_event_month_pkey PRIMARY KEY (name);
alter table ONLY usage_event add CONSTRAINT usage_event_pkey PRIMARY KEY (pricing_model_id, created_at, "position", id, recorded_at);
alter table ONLY usage_event_rest add CONSTRAINT usage_event_rest_pkey PRIMARY KEY (pricing_model_id, created_at, "position", id, recorded_at);
alter table ONLY usage_forward add CONSTRAINT usage_forward_pkey PRIMARY KEY (pricing_model_id, "position");
alter table ONLY usage_history_file add CONSTRAINT usage_history_file_pkey PRIMARY KEY (organization_id, livemode, month);
alter table ONLY usage_hour add CONSTRAINT usage_hour_pkey PRIMARY KEY (balance_id, hour);
alter table ONLY usage_meter_balance add CONSTRAINT usage_meter_balance_id_organization UNIQUE (id, organization_id);
alter table ONLY usage_meter_balance add CONSTRAINT usage_meter_balance_pkey PRIMARY KEY (id);
alter table ONLY usage_meter_balance add CONSTRAINT usage_meter_balance_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY usage_meter_balance add CONSTRAINT usage_meter_balance_unique UNIQUE (subscription_id, usage_meter_id);
alter table ONLY usage_meter add CONSTRAINT usage_meter_id_organization UNIQUE (id, organization_id);
alter table ONLY usage_meter_part add CONSTRAINT usage_meter_part_pkey PRIMARY KEY (usage_meter_id, property, hour, value);
alter table ONLY usage_meter add CONSTRAINT usage_meter_pkey PRIMARY KEY (id);
alter table ONLY usage_meter add CONSTRAINT usage_meter_slug_unique UNIQUE (pricing_model_id, slug);
alter table ONLY usage_meter add CONSTRAINT usage_meter_tenant_unique UNIQUE (id, pricing_model_id);
alter table ONLY usage_part add CONSTRAINT usage_part_pkey PRIMARY KEY (balance_id, property, hour, value);
alter table ONLY usage_refusal add CONSTRAINT usage_refusal_pkey PRIMARY KEY (id);
alter table ONLY usage_stream_cursor add CONSTRAINT usage_stream_cursor_pkey PRIMARY KEY (stream);
alter table ONLY usage_stream_model add CONSTRAINT usage_stream_model_pkey PRIMARY KEY (pricing_model_id);
alter table ONLY usage_total add CONSTRAINT usage_total_pkey PRIMARY KEY (balance_id, billing_period_id, price_id);
alter table ONLY usage_watch add CONSTRAINT usage_watch_pkey PRIMARY KEY (subscription_id);
alter table ONLY webhook_delivery add CONSTRAINT webhook_delivery_once UNIQUE (event_id, webhook_id);
alter table ONLY webhook_delivery add CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id);
alter table ONLY webhook add CONSTRAINT webhook_pkey PRIMARY KEY (id);
alter table ONLY webhook add CONSTRAINT webhook_tenant_unique UNIQUE (id, pricing_model_id);
CREATE INDEX alert_crossing_alert ON alert_crossing USING btree (alert_id, created_at);
CREATE INDEX alert_crossing_customer ON alert_crossing USING btree (customer_id, created_at);
CREATE UNIQUE INDEX alert_crossing_open_unique ON alert_crossing USING btree (alert_id, subscription_id, billing_period_id, percentage) WHERE (ended_at IS NULL);
CREATE INDEX alert_crossing_page ON alert_crossing USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX alert_crossing_subscription ON alert_crossing USING btree (subscription_id, created_at);
CREATE INDEX alert_customer ON alert USING btree (customer_id, created_at);
CREATE INDEX alert_page ON alert USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX alert_rule_page ON alert_rule USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX alert_rule_settling ON alert_rule USING btree (settles_at) WHERE (settles_at IS NOT NULL);
CREATE UNIQUE INDEX alert_rule_unique ON alert USING btree (rule_id, customer_id) WHERE (rule_id IS NOT NULL);
CREATE INDEX alert_rule_usage_meter_id_index ON alert_rule USING btree (usage_meter_id);
CREATE INDEX alert_subscription ON alert USING btree (subscription_id, created_at);
CREATE INDEX alert_usage_meter_id_index ON alert USING btree (usage_meter_id);
CREATE INDEX billing_period_end ON billing_period USING btree (pricing_model_id, end_date, "position", id);
CREATE INDEX billing_period_page ON billing_period USING btree (pricing_model_id, created_at, "position", id);
CREATE UNIQUE INDEX billing_run_adjustment_unique ON billing_run USING btree (subscription_id) WHERE ((purpose = 'adjustment'::text) AND (status = ANY (ARRAY['scheduled'::text, 'started'::text, 'awaiting_payment_confirmation'::text])));
CREATE UNIQUE INDEX billing_run_attempt_unique ON billing_run USING btree (billing_period_id, attempt_number) WHERE (purpose = ANY (ARRAY['period'::text, 'last_usage'::text]));
CREATE INDEX billing_run_due ON billing_run USING btree (test_clock_id, due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX billing_run_invoice_id_index ON billing_run USING btree (invoice_id);
CREATE UNIQUE INDEX billing_run_open_unique ON billing_run USING btree (billing_period_id) WHERE ((purpose = ANY (ARRAY['period'::text, 'last_usage'::text])) AND (status = ANY (ARRAY['scheduled'::text, 'started'::text, 'awaiting_payment_confirmation'::text])));
CREATE INDEX billing_run_page ON billing_run USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX billing_run_period ON billing_run USING btree (billing_period_id);
CREATE INDEX billing_run_scheduled ON billing_run USING btree (pricing_model_id, scheduled_for, "position", id);
CREATE INDEX billing_run_subscription ON billing_run USING btree (subscription_id);
CREATE UNIQUE INDEX book_difference_open_unique ON book_difference USING btree (customer_id, currency) WHERE (resolved_at IS NULL);
CREATE INDEX book_difference_page ON book_difference USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX cause_actor ON cause USING btree (pricing_model_id, actor_id, created_at);
CREATE INDEX cause_page ON cause USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX cause_request ON cause USING btree (pricing_model_id, request_id);
CREATE INDEX checkout_session_abandoned ON checkout_session USING btree (created_at) WHERE (status = ANY (ARRAY['failed'::text, 'expired'::text]));
CREATE INDEX checkout_session_customer ON checkout_session USING btree (customer_id, created_at, "position", id);
CREATE INDEX checkout_session_open ON checkout_session USING btree (expires) WHERE (status = 'open'::text);
CREATE INDEX checkout_session_page ON checkout_session USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX checkout_session_pending ON checkout_session USING btree (updated_at) WHERE (status = 'pending'::text);
CREATE INDEX checkout_session_price_id_index ON checkout_session USING btree (price_id);
CREATE INDEX checkout_session_status ON checkout_session USING btree (pricing_model_id, status, created_at, "position", id);
CREATE INDEX checkout_session_subscription_id_index ON checkout_session USING btree (subscription_id);
CREATE INDEX checkout_session_target_subscription_id_index ON checkout_session USING btree (target_subscription_id);
CREATE INDEX consolidated_invoice_customer ON consolidated_invoice USING btree (customer_id, created_at, "position", id);
CREATE INDEX consolidated_invoice_date ON consolidated_invoice USING btree (pricing_model_id, invoice_date, "position", id);
CREATE INDEX consolidated_invoice_number ON consolidated_invoice USING btree (pricing_model_id, lower((invoice_number)::text), "position", id);
CREATE INDEX consolidated_invoice_page ON consolidated_invoice USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX credit_note_customer ON credit_note USING btree (customer_id, created_at, "position", id);
CREATE INDEX credit_note_date ON credit_note USING btree (pricing_model_id, issued_at, "position", id);
CREATE INDEX credit_note_invoice ON credit_note USING btree (invoice_id, created_at, "position", id);
CREATE INDEX credit_note_line_item ON credit_note_line USING btree (invoice_line_item_id);
CREATE INDEX credit_note_line_note ON credit_note_line USING btree (credit_note_id, "position");
CREATE INDEX credit_note_number ON credit_note USING btree (pricing_model_id, lower((credit_note_number)::text), "position", id);
CREATE INDEX credit_note_page ON credit_note USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX credit_note_search ON credit_note USING gin (search_grams((pricing_model_id)::text, lower((credit_note_number)::text))) WITH (gin_pending_list_limit='512');
CREATE INDEX credit_note_set_off ON credit_note USING btree (set_off_invoice_id);
CREATE INDEX credit_note_total ON credit_note USING btree (pricing_model_id, COALESCE(currency, ''::varchar), total, "position", id);
CREATE INDEX cron_run_page ON cron_run USING btree (created_at, "position", id);
CREATE INDEX customer_archived ON customer USING btree (pricing_model_id) WHERE (archived = true);
CREATE INDEX customer_email ON customer USING btree (pricing_model_id, lower((email)::text), "position", id);
CREATE UNIQUE INDEX customer_external_id_unique ON customer USING btree (pricing_model_id, external_id) WHERE (archived = false);
CREATE INDEX customer_metadata ON customer USING gin (metadata jsonb_path_ops);
CREATE INDEX customer_name ON customer USING btree (pricing_model_id, lower((name)::text), "position", id);
CREATE INDEX customer_owed ON customer USING btree (pricing_model_id, COALESCE(currency, ''::varchar), amount_owed, "position", id);
CREATE INDEX customer_page ON customer USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX customer_search ON customer USING gin (search_grams((pricing_model_id)::text, lower((((((((name)::text || '
'::text) || (email)::text) || '
'::text) || (COALESCE(domain, ''::varchar))::text) || '
'::text) || (external_id)::text)))) WITH (gin_pending_list_limit='512');
CREATE INDEX customer_test_clock_id_index ON customer USING btree (test_clock_id);
CREATE INDEX customer_token_age ON customer_token USING btree (expires_at);
CREATE INDEX customer_token_customer ON customer_token USING btree (customer_id, expires_at);
CREATE INDEX customer_token_key ON customer_token USING btree (api_key_id, expires_at);
CREATE INDEX customer_token_page ON customer_token USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX discount_page ON discount USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX discount_redemption_customer ON discount_redemption USING btree (customer_id, created_at);
CREATE INDEX discount_redemption_discount ON discount_redemption USING btree (discount_id, created_at);
CREATE INDEX discount_redemption_page ON discount_redemption USING btree (pricing_model_id, created_at, "position", id);
CREATE UNIQUE INDEX discount_redemption_purchase_unique ON discount_redemption USING btree (purchase_id) WHERE (purchase_id IS NOT NULL);
CREATE UNIQUE INDEX discount_redemption_subscription_unique ON discount_redemption USING btree (subscription_id) WHERE (subscription_id IS NOT NULL);
CREATE INDEX dispute_amount ON dispute USING btree (pricing_model_id, COALESCE(currency, ''::varchar), amount, "position", id);
CREATE INDEX dispute_customer ON dispute USING btree (customer_id, created_at, "position", id);
CREATE INDEX dispute_page ON dispute USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX dispute_reference ON dispute USING btree (processor_reference);
CREATE INDEX event_actor ON event USING btree (pricing_model_id, actor_id, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX event_age ON event USING btree (recorded_at) WHERE (sequence IS NOT NULL);
CREATE INDEX event_cause ON event USING btree (cause, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX event_customer ON event USING btree (pricing_model_id, customer_id, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX event_feed ON event USING btree (pricing_model_id, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX event_object ON event USING btree (pricing_model_id, object_id, sequence) WHERE (sequence IS NOT NULL);
CREATE UNIQUE INDEX event_once_a_transaction ON event USING btree (transaction_id, object_id) WHERE (sequence IS NULL);
CREATE UNIQUE INDEX event_sequence_unique ON event USING btree (organization_id, livemode, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX event_unsequenced ON event USING btree (organization_id, livemode, "position") WHERE (sequence IS NULL);
CREATE INDEX feature_page ON feature USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX feature_resource_id_index ON feature USING btree (resource_id);
CREATE INDEX feature_usage_meter_id_index ON feature USING btree (usage_meter_id);
CREATE INDEX idempotency_key_age ON idempotency_key USING btree (created_at);
CREATE INDEX invoice_consolidated ON invoice USING btree (consolidated_invoice_id, created_at, "position", id) WHERE (consolidated_invoice_id IS NOT NULL);
CREATE INDEX invoice_customer ON invoice USING btree (customer_id, created_at);
CREATE INDEX invoice_date ON invoice USING btree (pricing_model_id, invoice_date, "position", id);
CREATE INDEX invoice_due_date ON invoice USING btree (pricing_model_id, COALESCE(due_date, 'infinity'::timestamptz), "position", id);
CREATE INDEX invoice_follow_up ON invoice USING btree (test_clock_id, follow_up_due_at, id) WHERE ((follow_up_due_at IS NOT NULL) AND (status = 'open'::text));
CREATE INDEX invoice_line_item_committed ON invoice_line_item USING btree (committed_period_id) WHERE (committed_period_id IS NOT NULL);
CREATE INDEX invoice_line_item_invoice ON invoice_line_item USING btree (invoice_id, "position");
CREATE UNIQUE INDEX invoice_line_item_one_off_unique ON invoice_line_item USING btree (one_off_charge_id) WHERE (one_off_charge_id IS NOT NULL);
CREATE INDEX invoice_line_item_page ON invoice_line_item USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX invoice_line_item_price_id_index ON invoice_line_item USING btree (price_id);
CREATE INDEX invoice_line_item_undone ON invoice_line_item USING btree (undone_line_item_id) WHERE (undone_line_item_id IS NOT NULL);
CREATE UNIQUE INDEX invoice_member_unique ON invoice USING btree (consolidated_invoice_id, subscription_id) WHERE (consolidated_invoice_id IS NOT NULL);
CREATE INDEX invoice_number ON invoice USING btree (pricing_model_id, lower((invoice_number)::text), "position", id);
CREATE INDEX invoice_page ON invoice USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX invoice_payable ON invoice USING btree (pricing_model_id, customer_id) WHERE (status = ANY (ARRAY['open'::text, 'awaiting_payment_confirmation'::text]));
CREATE INDEX invoice_period ON invoice USING btree (billing_period_id);
CREATE UNIQUE INDEX invoice_period_unique ON invoice USING btree (billing_period_id) WHERE (purpose = 'period'::text);
CREATE INDEX invoice_search ON invoice USING gin (search_grams((pricing_model_id)::text, lower((invoice_number)::text))) WITH (gin_pending_list_limit='512');
CREATE INDEX invoice_status ON invoice USING btree (pricing_model_id, status, created_at, "position", id);
CREATE INDEX invoice_subscription ON invoice USING btree (subscription_id);
CREATE INDEX invoice_total ON invoice USING btree (pricing_model_id, COALESCE(currency, ''::varchar), total, "position", id);
CREATE INDEX ledger_transaction_balance ON ledger_transaction USING btree (balance_id, created_at, "position", id);
CREATE INDEX ledger_transaction_page ON ledger_transaction USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX mail_age ON mail USING btree (created_at);
CREATE INDEX mail_customer ON mail USING btree (customer_id, created_at, "position", id);
CREATE INDEX mail_dead ON mail USING btree (updated_at) WHERE (status = ANY (ARRAY['failed'::text, 'uncertain'::text]));
CREATE INDEX mail_due ON mail USING btree (organization_id, livemode, next_attempt_at, sequence) WHERE (status = 'pending'::text);
CREATE INDEX mail_page ON mail USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX mail_transmitted ON mail USING btree (claimed_until) WHERE ((status = 'pending'::text) AND (handed_over_at IS NOT NULL));
CREATE INDEX mrr_change_customer ON mrr_change USING btree (customer_id, currency, at);
CREATE INDEX mrr_movement_time ON mrr_movement USING btree (pricing_model_id, at);
CREATE INDEX one_off_charge_billing_period_id_index ON one_off_charge USING btree (billing_period_id);
CREATE INDEX one_off_charge_customer ON one_off_charge USING btree (customer_id, created_at);
CREATE INDEX one_off_charge_invoice_id_index ON one_off_charge USING btree (invoice_id);
CREATE INDEX one_off_charge_page ON one_off_charge USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX one_off_charge_pending ON one_off_charge USING btree (subscription_id, "position") WHERE (billed_at IS NULL);
CREATE INDEX one_off_charge_price_id_index ON one_off_charge USING btree (price_id);
CREATE INDEX one_off_charge_subscription ON one_off_charge USING btree (subscription_id, created_at);
CREATE INDEX operator_invitation_operator ON operator_invitation USING btree (operator_id);
CREATE INDEX operator_invitation_page ON operator_invitation USING btree (organization_id, created_at, "position", id);
CREATE UNIQUE INDEX operator_invitation_pending_unique ON operator_invitation USING btree (organization_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE INDEX operator_page ON operator USING btree (organization_id, created_at, "position", id);
CREATE INDEX operator_session_age ON operator_session USING btree (expires_at);
CREATE INDEX operator_session_operator ON operator_session USING btree (operator_id, created_at);
CREATE INDEX owed_usage_invoice_line_item_id_index ON owed_usage USING btree (invoice_line_item_id);
CREATE INDEX owed_usage_period ON owed_usage USING btree (balance_id, billing_period_id);
CREATE INDEX owed_usage_unbilled ON owed_usage USING btree (balance_id, price_id) WHERE (invoice_line_item_id IS NULL);
CREATE INDEX owed_usage_undone_line_item_id_index ON owed_usage USING btree (undone_line_item_id);
CREATE INDEX payment_amount ON payment USING btree (pricing_model_id, COALESCE(currency, ''::varchar), amount, "position", id);
CREATE INDEX payment_charge_date ON payment USING btree (pricing_model_id, charge_date, "position", id);
CREATE INDEX payment_charge_reference ON payment USING btree (charge_reference);
CREATE INDEX payment_charged_with ON payment USING btree (charged_with_id) WHERE (charged_with_id IS NOT NULL);
CREATE INDEX payment_customer ON payment USING btree (customer_id, created_at);
CREATE INDEX payment_due ON payment USING btree (test_clock_id, check_due_at, id) WHERE (check_due_at IS NOT NULL);
CREATE INDEX payment_failed ON payment USING btree (pricing_model_id, charge_date) WHERE (status = 'failed'::text);
CREATE INDEX payment_invoice ON payment USING btree (invoice_id);
CREATE INDEX payment_method_customer ON payment_method USING btree (customer_id, created_at);
CREATE UNIQUE INDEX payment_method_default_unique ON payment_method USING btree (customer_id) WHERE ("default" = true);
CREATE INDEX payment_method_detach ON payment_method USING btree (detach_due_at, id) WHERE (detach_due_at IS NOT NULL);
CREATE INDEX payment_method_expiry ON payment_method USING btree (expires_on, id) WHERE ((expires_on IS NOT NULL) AND (detached_at IS NULL));
CREATE INDEX payment_method_page ON payment_method USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX payment_method_setup_customer ON payment_method_setup USING btree (customer_id, created_at, "position", id);
CREATE INDEX payment_method_setup_open ON payment_method_setup USING btree (expires_at) WHERE (status = 'open'::text);
CREATE INDEX payment_method_setup_page ON payment_method_setup USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX payment_method_setup_payment_method_id_index ON payment_method_setup USING btree (payment_method_id);
CREATE INDEX payment_method_setup_reference ON payment_method_setup USING btree (processor_reference);
CREATE INDEX payment_method_token ON payment_method USING btree (token_hash);
CREATE INDEX payment_page ON payment USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX payment_payment_method_id_index ON payment USING btree (payment_method_id);
CREATE UNIQUE INDEX payment_pending_unique ON payment USING btree (invoice_id) WHERE (status = ANY (ARRAY['processing'::text, 'requires_confirmation'::text, 'requires_action'::text]));
CREATE INDEX payment_reference ON payment USING btree (processor_reference);
CREATE INDEX payment_remittance ON payment USING btree (remittance_id);
CREATE INDEX payment_status ON payment USING btree (pricing_model_id, status, created_at, "position", id);
CREATE INDEX payment_subscription ON payment USING btree (subscription_id, created_at, "position", id);
CREATE INDEX prepaid_credit_customer ON prepaid_credit USING btree (customer_id, created_at, "position", id);
CREATE INDEX prepaid_credit_expiring ON prepaid_credit USING btree (expires_at, id) WHERE ((remaining > 0) AND (expires_at IS NOT NULL));
CREATE INDEX prepaid_credit_expiry ON prepaid_credit USING btree (pricing_model_id, COALESCE(expires_at, 'infinity'::timestamptz), "position", id);
CREATE INDEX prepaid_credit_left ON prepaid_credit USING btree (customer_id) WHERE (remaining > 0);
CREATE INDEX prepaid_credit_page ON prepaid_credit USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX prepaid_credit_remaining ON prepaid_credit USING btree (pricing_model_id, COALESCE(currency, ''::varchar), remaining, "position", id);
CREATE INDEX prepaid_credit_use_invoice_id_index ON prepaid_credit_use USING btree (invoice_id);
CREATE UNIQUE INDEX prepaid_top_up_active_unique ON prepaid_top_up USING btree (customer_id) WHERE (active = true);
CREATE INDEX prepaid_top_up_customer ON prepaid_top_up USING btree (customer_id, created_at);
CREATE INDEX prepaid_top_up_page ON prepaid_top_up USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX prepaid_top_up_pending ON prepaid_top_up USING btree (pending_credit_id) WHERE (pending_credit_id IS NOT NULL);
CREATE INDEX prepaid_top_up_ready ON prepaid_top_up USING btree (id) WHERE ((active = true) AND (pending_credit_id IS NULL));
CREATE INDEX price_move_page ON price_move USING btree (pricing_model_id, created_at, "position", id);
CREATE UNIQUE INDEX price_move_running_unique ON price_move USING btree (from_price_id) WHERE (status = 'running'::text);
CREATE INDEX price_move_to_price_id_index ON price_move USING btree (to_price_id);
CREATE INDEX price_page ON price USING btree (pricing_model_id, created_at, "position", id);
CREATE UNIQUE INDEX price_product_default_unique ON price USING btree (product_id) WHERE (is_default = true);
CREATE INDEX price_product_id_index ON price USING btree (product_id);
CREATE UNIQUE INDEX price_slug_unique ON price USING btree (pricing_model_id, slug) WHERE ((active = true) AND (slug IS NOT NULL));
CREATE UNIQUE INDEX price_usage_meter_default_unique ON price USING btree (usage_meter_id, currency) WHERE (is_default = true);
CREATE INDEX price_usage_meter_id_index ON price USING btree (usage_meter_id);
CREATE UNIQUE INDEX pricing_model_default_unique ON pricing_model USING btree (organization_id, livemode) WHERE (is_default = true);
CREATE UNIQUE INDEX pricing_model_live_unique ON pricing_model USING btree (organization_id) WHERE (livemode = true);
CREATE UNIQUE INDEX processor_account_mode_unique ON processor_account USING btree (organization_id, livemode) WHERE (disconnected_at IS NULL);
CREATE INDEX processor_customer_reference ON processor_customer USING btree (reference);
CREATE UNIQUE INDEX processor_difference_open_unique ON processor_difference USING btree (processor_account_id, kind, reference) WHERE (resolved_at IS NULL);
CREATE INDEX processor_difference_page ON processor_difference USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX processor_event_due ON processor_event USING btree (due_at, id) WHERE (status = 'pending'::text);
CREATE INDEX processor_event_received ON processor_event USING btree (received_at);
CREATE UNIQUE INDEX product_default_unique ON product USING btree (pricing_model_id) WHERE ("default" = true);
CREATE INDEX product_feature_feature_id_index ON product_feature USING btree (feature_id);
CREATE INDEX product_feature_page ON product_feature USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX product_page ON product USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX purchase_customer ON purchase USING btree (customer_id, created_at, "position", id);
CREATE INDEX purchase_page ON purchase USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX purchase_price_id_index ON purchase USING btree (price_id);
CREATE INDEX purchase_status ON purchase USING btree (pricing_model_id, status, created_at, "position", id);
CREATE INDEX purchase_subscription_id_index ON purchase USING btree (subscription_id);
CREATE INDEX refund_amount ON refund USING btree (pricing_model_id, COALESCE(currency, ''::varchar), amount, "position", id);
CREATE INDEX refund_credit_note ON refund USING btree (credit_note_id);
CREATE INDEX refund_customer ON refund USING btree (customer_id, created_at, "position", id);
CREATE INDEX refund_due ON refund USING btree (test_clock_id, check_due_at, id) WHERE (status = ANY (ARRAY['pending'::text, 'requires_action'::text]));
CREATE INDEX refund_page ON refund USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX refund_payment ON refund USING btree (payment_id);
CREATE INDEX refund_reference ON refund USING btree (processor_reference);
CREATE UNIQUE INDEX refund_reference_unique ON refund USING btree (payment_id, processor_reference) WHERE (processor_reference IS NOT NULL);
CREATE INDEX remittance_amount ON remittance USING btree (pricing_model_id, COALESCE(currency, ''::varchar), amount, "position", id);
CREATE INDEX remittance_customer ON remittance USING btree (customer_id, created_at, "position", id);
CREATE INDEX remittance_page ON remittance USING btree (pricing_model_id, created_at, "position", id);
CREATE UNIQUE INDEX remittance_reference_unique ON remittance USING btree (organization_id, livemode, reference) WHERE ((reference IS NOT NULL) AND (status = ANY (ARRAY['expected'::text, 'received'::text])));
CREATE INDEX remittance_status ON remittance USING btree (pricing_model_id, status, created_at, "position", id);
CREATE INDEX reservation_balance ON reservation USING btree (balance_id, expires_at) WHERE ((status = 'held'::text) AND (balance_id IS NOT NULL));
CREATE INDEX reservation_due ON reservation USING btree (test_clock_id, expires_at, id) WHERE (status = 'held'::text);
CREATE INDEX reservation_held ON reservation USING btree (subscription_id, resource_id, expires_at) WHERE (status = 'held'::text);
CREATE INDEX reservation_page ON reservation USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX reservation_subscription ON reservation USING btree (subscription_id, created_at, "position", id);
CREATE INDEX resource_claim_due ON resource_claim USING btree (test_clock_id, expired_at, subscription_id) WHERE ((released_at IS NULL) AND (expired_at IS NOT NULL));
CREATE UNIQUE INDEX resource_claim_external_id_unique ON resource_claim USING btree (subscription_id, resource_id, external_id) WHERE ((released_at IS NULL) AND (external_id IS NOT NULL));
CREATE INDEX resource_claim_page ON resource_claim USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX resource_claim_resource ON resource_claim USING btree (resource_id, created_at, "position", id);
CREATE INDEX resource_claim_subscription ON resource_claim USING btree (subscription_id, created_at, "position", id);
CREATE INDEX resource_claim_unreleased ON resource_claim USING btree (subscription_id, resource_id, external_id, claimed_at, "position") WHERE (released_at IS NULL);
CREATE INDEX resource_page ON resource USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX sandbox_charge_method ON sandbox_charge USING btree (payment_method_id);
CREATE INDEX sandbox_charge_organization ON sandbox_charge USING btree (organization_id, charged_at);
CREATE INDEX sandbox_notice_due ON sandbox_notice USING btree (due_at) WHERE (delivered_at IS NULL);
CREATE INDEX sandbox_refund_charge ON sandbox_refund USING btree (charge_key);
CREATE INDEX sign_in_attempt_age ON sign_in_attempt USING btree (failed_at);
CREATE INDEX subscription_backup_payment_method_id_index ON subscription USING btree (backup_payment_method_id);
CREATE UNIQUE INDEX subscription_current_unique ON subscription USING btree (customer_id) WHERE ((sole = true) AND (status = ANY (ARRAY['active'::text, 'past_due'::text, 'trialing'::text, 'cancellation_scheduled'::text, 'unpaid'::text, 'credit_trial'::text, 'paused'::text])));
CREATE INDEX subscription_customer ON subscription USING btree (customer_id, created_at);
CREATE INDEX subscription_default_payment_method_id_index ON subscription USING btree (default_payment_method_id);
CREATE INDEX subscription_due ON subscription USING btree (test_clock_id, transition_due_at, id) WHERE (transition_due_at IS NOT NULL);
CREATE UNIQUE INDEX subscription_external_id_unique ON subscription USING btree (pricing_model_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX subscription_item_feature_capacity ON subscription_item_feature USING btree (subscription_id, resource_id) WHERE (resource_id IS NOT NULL);
CREATE INDEX subscription_item_feature_customer ON subscription_item_feature USING btree (customer_id);
CREATE INDEX subscription_item_feature_item ON subscription_item_feature USING btree (subscription_item_id);
CREATE INDEX subscription_item_feature_page ON subscription_item_feature USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX subscription_item_feature_product_feature_id_index ON subscription_item_feature USING btree (product_feature_id);
CREATE UNIQUE INDEX subscription_item_manual_unique ON subscription_item USING btree (subscription_id) WHERE ((manually_created = true) AND (price_id IS NULL) AND (purchase_id IS NULL) AND (expired_at IS NULL));
CREATE INDEX subscription_item_page ON subscription_item USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX subscription_item_price_id_index ON subscription_item USING btree (price_id);
CREATE UNIQUE INDEX subscription_item_purchase_unique ON subscription_item USING btree (purchase_id, subscription_id) WHERE ((purchase_id IS NOT NULL) AND (expired_at IS NULL));
CREATE INDEX subscription_item_subscription ON subscription_item USING btree (subscription_id);
CREATE INDEX subscription_metadata ON subscription USING gin (metadata jsonb_path_ops);
CREATE INDEX subscription_model_customer ON subscription USING btree (pricing_model_id, customer_id);
CREATE INDEX subscription_mrr ON subscription USING btree (pricing_model_id, mrr, "position", id);
CREATE INDEX subscription_mrr_planned ON subscription USING btree (pricing_model_id, mrr_changes_at) WHERE (mrr_changes_at IS NOT NULL);
CREATE INDEX subscription_page ON subscription USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX subscription_paying ON subscription USING btree (pricing_model_id) WHERE ((is_free_plan = false) AND (do_not_charge = false) AND (status = ANY (ARRAY['active'::text, 'past_due'::text, 'cancellation_scheduled'::text, 'unpaid'::text])));
CREATE INDEX subscription_period_end ON subscription USING btree (pricing_model_id, COALESCE(current_billing_period_end, 'infinity'::timestamptz), "position", id);
CREATE INDEX subscription_phase_customer ON subscription_phase USING btree (customer_id, created_at);
CREATE INDEX subscription_phase_page ON subscription_phase USING btree (pricing_model_id, created_at, "position", id);
CREATE UNIQUE INDEX subscription_phase_planned_unique ON subscription_phase USING btree (subscription_id, starts_at) WHERE (status = 'planned'::text);
CREATE INDEX subscription_phase_subscription ON subscription_phase USING btree (subscription_id, starts_at);
CREATE INDEX subscription_price_id_index ON subscription USING btree (price_id);
CREATE INDEX subscription_renewal ON subscription USING btree (test_clock_id, current_billing_period_end) WHERE ((renews = true) AND ("interval" = ANY (ARRAY['year'::text, 'month'::text])) AND (status = ANY (ARRAY['active'::text, 'past_due'::text])));
CREATE INDEX subscription_status ON subscription USING btree (pricing_model_id, status, created_at, "position", id);
CREATE INDEX subscription_trial_end ON subscription USING btree (test_clock_id, trial_end) WHERE (status = 'trialing'::text);
CREATE UNIQUE INDEX subscription_trial_unique ON subscription USING btree (customer_id) WHERE ((trial_end IS NOT NULL) AND (is_free_plan = false) AND (do_not_charge = false));
CREATE INDEX tax_rate_page ON tax_rate USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX tax_rate_place ON tax_rate USING btree (pricing_model_id, country);
CREATE INDEX test_clock_advancing ON test_clock USING btree (id) WHERE (status = 'advancing'::text);
CREATE INDEX test_clock_page ON test_clock USING btree (pricing_model_id, created_at, "position", id);
CREATE UNIQUE INDEX top_up_active_unique ON top_up USING btree (subscription_id, usage_meter_id) WHERE (active = true);
CREATE INDEX top_up_customer ON top_up USING btree (customer_id, created_at);
CREATE INDEX top_up_due ON top_up USING btree (due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX top_up_page ON top_up USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX top_up_pending ON top_up USING btree (pending_purchase_id) WHERE (pending_purchase_id IS NOT NULL);
CREATE INDEX top_up_price_id_index ON top_up USING btree (price_id);
CREATE INDEX top_up_usage_meter_id_index ON top_up USING btree (usage_meter_id);
CREATE INDEX usage_credit_balance ON usage_credit USING btree (balance_id, expires_at);
CREATE INDEX usage_credit_customer ON usage_credit USING btree (customer_id, created_at, "position", id);
CREATE INDEX usage_credit_expiring ON usage_credit USING btree (expires_at) WHERE ((remaining > (0)::numeric) AND (expires_at IS NOT NULL));
CREATE INDEX usage_credit_expiry ON usage_credit USING btree (pricing_model_id, COALESCE(expires_at, 'infinity'::timestamptz), "position", id);
CREATE UNIQUE INDEX usage_credit_once ON usage_credit USING btree (source_id, source, billing_period_id) WHERE (source_id IS NOT NULL);
CREATE INDEX usage_credit_page ON usage_credit USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX usage_credit_purchase ON usage_credit USING btree (purchase_id) WHERE (purchase_id IS NOT NULL);
CREATE INDEX usage_credit_subscription ON usage_credit USING btree (subscription_id, created_at, "position", id);
CREATE INDEX usage_event_distinct_event ON usage_event_distinct USING btree (event_id);
CREATE INDEX usage_event_subscription ON ONLY usage_event USING btree (subscription_id, usage_meter_id, created_at, id);
CREATE INDEX usage_event_rest_subscription_id_usage_meter_id_created_at__idx ON usage_event_rest USING btree (subscription_id, usage_meter_id, created_at, id);
CREATE INDEX usage_event_voided ON ONLY usage_event USING btree (subscription_id, usage_meter_id, left_out_by, created_at, id) WHERE (voided_at IS NOT NULL);
CREATE INDEX usage_event_rest_subscription_id_usage_meter_id_left_out_by_idx ON usage_event_rest USING btree (subscription_id, usage_meter_id, left_out_by, created_at, id) WHERE (voided_at IS NOT NULL);
CREATE INDEX usage_hour_open ON usage_hour USING btree (balance_id, hour) WHERE (counted = false);
CREATE INDEX usage_meter_balance_customer ON usage_meter_balance USING btree (customer_id);
CREATE INDEX usage_meter_balance_page ON usage_meter_balance USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX usage_meter_balance_usage_meter_id_index ON usage_meter_balance USING btree (usage_meter_id);
CREATE INDEX usage_meter_page ON usage_meter USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX usage_part_left_out ON usage_part USING btree (usage_meter_id, property, hour) WHERE ((value)::text = '!'::text);
CREATE INDEX usage_refusal_acceptance ON usage_refusal USING btree (pricing_model_id, acceptance_id);
CREATE INDEX usage_refusal_page ON usage_refusal USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX usage_watch_bill_due ON usage_watch USING btree (bill_due_at, subscription_id) WHERE (bill_due_at IS NOT NULL);
CREATE INDEX usage_watch_due ON usage_watch USING btree (due_at, subscription_id) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_active ON webhook USING btree (organization_id, livemode) WHERE (active = true);
CREATE INDEX webhook_delivery_changed ON webhook_delivery USING btree (pricing_model_id, updated_at, id);
CREATE INDEX webhook_delivery_due ON webhook_delivery USING btree (webhook_id, next_attempt_at, sequence) WHERE ((status = 'pending'::text) AND (next_attempt_at IS NOT NULL));
CREATE INDEX webhook_delivery_failed ON webhook_delivery USING btree (updated_at) WHERE (status = 'failed'::text);
CREATE INDEX webhook_delivery_held ON webhook_delivery USING btree (webhook_id, claimed_until) WHERE (claimed_until IS NOT NULL);
CREATE INDEX webhook_delivery_lane ON webhook_delivery USING btree (webhook_id, object_id, sequence) WHERE (status = 'pending'::text);
CREATE INDEX webhook_delivery_page ON webhook_delivery USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX webhook_delivery_webhook_page ON webhook_delivery USING btree (webhook_id, created_at, "position", id);
CREATE INDEX webhook_page ON webhook USING btree (pricing_model_id, created_at, "position", id);
CREATE INDEX webhook_previous_secret ON webhook USING btree (previous_secret_until) WHERE (previous_secret_until IS NOT NULL);
ALTER INDEX usage_event_inbox_pkey ATTACH PARTITION usage_event_inbox_0_pkey;
ALTER INDEX usage_event_inbox_pkey ATTACH PARTITION usage_event_inbox_1_pkey;
ALTER INDEX usage_event_inbox_pkey ATTACH PARTITION usage_event_inbox_2_pkey;
ALTER INDEX usage_event_inbox_pkey ATTACH PARTITION usage_event_inbox_3_pkey;
ALTER INDEX usage_event_inbox_pkey ATTACH PARTITION usage_event_inbox_4_pkey;
ALTER INDEX usage_event_inbox_pkey ATTACH PARTITION usage_event_inbox_5_pkey;
ALTER INDEX usage_event_inbox_pkey ATTACH PARTITION usage_event_inbox_6_pkey;
ALTER INDEX usage_event_inbox_pkey ATTACH PARTITION usage_event_inbox_7_pkey;
ALTER INDEX usage_event_pkey ATTACH PARTITION usage_event_rest_pkey;
ALTER INDEX usage_event_subscription ATTACH PARTITION usage_event_rest_subscription_id_usage_meter_id_created_at__idx;
ALTER INDEX usage_event_voided ATTACH PARTITION usage_event_rest_subscription_id_usage_meter_id_left_out_by_idx;
CREATE TRIGGER announced AFTER INSERT ON event REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announce_events();
CREATE TRIGGER announced_changed AFTER UPDATE ON webhook_delivery REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announce_delivery();
CREATE TRIGGER announced_new AFTER INSERT ON webhook_delivery REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announce_delivery();
CREATE CONSTRAINT TRIGGER charge_added AFTER INSERT ON payment DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((COALESCE(new.charged_with_id, ((new.charge_amount)::text)::varchar) IS NOT NULL)) EXECUTE FUNCTION check_charge();
CREATE CONSTRAINT TRIGGER charge_settled AFTER UPDATE ON payment DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((COALESCE(new.charged_with_id, ((new.charge_amount)::text)::varchar) IS NOT NULL) AND (old.status <> new.status) AND ((old.status = ANY (ARRAY['processing'::text, 'requires_confirmation'::text, 'requires_action'::text])) OR (old.status = ANY (ARRAY['failed'::text, 'canceled'::text]))))) EXECUTE FUNCTION check_charge();
CREATE TRIGGER claims_added AFTER INSERT ON resource_claim REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_resource_claims();
CREATE TRIGGER claims_changed AFTER UPDATE ON resource_claim REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_resource_claims();
CREATE TRIGGER claims_removed AFTER DELETE ON resource_claim REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_resource_claims();
CREATE TRIGGER consolidated_invoice_kept BEFORE UPDATE ON consolidated_invoice FOR EACH ROW WHEN (((((((old.invoice_number)::text IS DISTINCT FROM (new.invoice_number)::text) OR (old.invoice_date IS DISTINCT FROM new.invoice_date)) OR (old.due_date IS DISTINCT FROM new.due_date)) OR ((old.currency)::text IS DISTINCT FROM (new.currency)::text)) OR (old.collection_method IS DISTINCT FROM new.collection_method))) EXECUTE FUNCTION keep_invoice();
CREATE TRIGGER consolidation_kept BEFORE UPDATE OF consolidated_invoice_id ON invoice FOR EACH ROW WHEN (((old.consolidated_invoice_id)::text IS DISTINCT FROM (new.consolidated_invoice_id)::text)) EXECUTE FUNCTION keep_invoice();
CREATE TRIGGER count_added AFTER INSERT ON alert REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON alert_crossing REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON alert_rule REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON api_key REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON billing_period REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON billing_run REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON book_difference REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON checkout_session REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON consolidated_invoice REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON credit_note REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON customer REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON customer_token REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON discount REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON discount_redemption REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON dispute REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON feature REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON invoice REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON invoice_line_item REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON one_off_charge REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON payment REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON payment_method REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON payment_method_setup REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON prepaid_credit REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON prepaid_top_up REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON price REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON price_move REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON processor_difference REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON product REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON product_feature REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON purchase REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON refund REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON remittance REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON reservation REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON resource REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON resource_claim REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON subscription REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON subscription_item REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON subscription_item_feature REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON subscription_phase REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON tax_rate REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON test_clock REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON top_up REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON usage_credit REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON usage_event REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON usage_meter REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON usage_meter_balance REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON usage_refusal REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_added AFTER INSERT ON webhook REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON alert REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON alert_crossing REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON alert_rule REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON api_key REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON billing_period REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON billing_run REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON book_difference REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON checkout_session REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON consolidated_invoice REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON credit_note REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON customer REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON customer_token REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON discount REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON discount_redemption REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON dispute REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON feature REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON invoice REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON invoice_line_item REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON one_off_charge REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON payment REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON payment_method REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON payment_method_setup REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON prepaid_credit REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON prepaid_top_up REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON price REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON price_move REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON processor_difference REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON product REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON product_feature REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON purchase REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON refund REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON remittance REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON reservation REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON resource REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON resource_claim REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON subscription REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON subscription_item REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON subscription_item_feature REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON subscription_phase REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON tax_rate REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON test_clock REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON top_up REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON usage_credit REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON usage_event REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON usage_meter REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON usage_meter_balance REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON usage_refusal REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER count_removed AFTER DELETE ON webhook REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER credit_note_kept BEFORE UPDATE ON credit_note FOR EACH ROW WHEN (((((((((((((((((((((old.invoice_id)::text IS DISTINCT FROM (new.invoice_id)::text) OR ((old.customer_id)::text IS DISTINCT FROM (new.customer_id)::text)) OR ((old.credit_note_number)::text IS DISTINCT FROM (new.credit_note_number)::text)) OR (old.issued_at IS DISTINCT FROM new.issued_at)) OR (old.settlement IS DISTINCT FROM new.settlement)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.description IS DISTINCT FROM new.description)) OR ((old.currency)::text IS DISTINCT FROM (new.currency)::text)) OR (old.subtotal IS DISTINCT FROM new.subtotal)) OR (old.tax_amount IS DISTINCT FROM new.tax_amount)) OR (old.tax_inclusive IS DISTINCT FROM new.tax_inclusive)) OR (old.total IS DISTINCT FROM new.total)) OR (old.tax_type IS DISTINCT FROM new.tax_type)) OR ((old.tax_country)::text IS DISTINCT FROM (new.tax_country)::text)) OR ((old.tax_state)::text IS DISTINCT FROM (new.tax_state)::text)) OR ((old.tax_rate_percentage)::text IS DISTINCT FROM (new.tax_rate_percentage)::text)) OR ((old.set_off_invoice_id)::text IS DISTINCT FROM (new.set_off_invoice_id)::text)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR ((old.status <> 'pending'::text) AND ((new.status <> old.status) OR (new.refunded_amount <> old.refunded_amount) OR (new.written_off_amount <> old.written_off_amount))) OR (new.refunded_amount < old.refunded_amount) OR (new.credited_amount < old.credited_amount) OR (new.written_off_amount < old.written_off_amount) OR (new.set_off_amount > old.set_off_amount))) EXECUTE FUNCTION keep_credit_note();
CREATE TRIGGER credit_note_line_kept BEFORE UPDATE ON credit_note_line FOR EACH ROW EXECUTE FUNCTION keep_credit_note();
CREATE TRIGGER credit_note_line_stays BEFORE DELETE ON credit_note_line FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION keep_credit_note();
CREATE TRIGGER credit_note_stays BEFORE DELETE ON credit_note FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION keep_credit_note();
CREATE CONSTRAINT TRIGGER credited_added AFTER INSERT ON credit_note DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_credited();
CREATE CONSTRAINT TRIGGER credited_changed AFTER UPDATE ON credit_note DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_credited();
CREATE CONSTRAINT TRIGGER credited_changed AFTER UPDATE ON invoice DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.amount_credited IS DISTINCT FROM new.amount_credited) OR (old.tax_credited IS DISTINCT FROM new.tax_credited)) OR (old.amount_waived IS DISTINCT FROM new.amount_waived))) EXECUTE FUNCTION check_credited();
CREATE TRIGGER currency_kept BEFORE INSERT OR UPDATE OF price_id ON subscription_item FOR EACH ROW WHEN ((new.price_id IS NOT NULL)) EXECUTE FUNCTION keep_item_currency();
CREATE TRIGGER digest_forgotten BEFORE UPDATE ON usage_total FOR EACH ROW WHEN ((new.digest = old.digest)) EXECUTE FUNCTION forget_digest();
CREATE TRIGGER dispute_kept BEFORE UPDATE ON dispute FOR EACH ROW WHEN (((((((old.payment_id)::text IS DISTINCT FROM (new.payment_id)::text) OR ((old.customer_id)::text IS DISTINCT FROM (new.customer_id)::text)) OR ((old.currency)::text IS DISTINCT FROM (new.currency)::text)) OR ((old.processor_reference)::text IS DISTINCT FROM (new.processor_reference)::text)) OR ((old.status = ANY (ARRAY['won'::text, 'lost'::text, 'prevented'::text])) AND (new.status <> ALL (ARRAY['won'::text, 'lost'::text, 'prevented'::text]))) OR ((old.status = ANY (ARRAY['opened'::text, 'under_review'::text])) AND (new.status = 'inquiry'::text)) OR ((old.status = 'under_review'::text) AND (new.status = 'opened'::text)))) EXECUTE FUNCTION keep_dispute();
CREATE TRIGGER invoice_kept BEFORE UPDATE ON invoice FOR EACH ROW WHEN (((old.status <> 'draft'::text) AND (((((((old.subtotal IS DISTINCT FROM new.subtotal) OR (old.tax_amount IS DISTINCT FROM new.tax_amount)) OR (old.total IS DISTINCT FROM new.total)) OR ((old.currency)::text IS DISTINCT FROM (new.currency)::text)) OR ((old.customer_id)::text IS DISTINCT FROM (new.customer_id)::text)) OR ((old.invoice_number)::text IS DISTINCT FROM (new.invoice_number)::text)) OR (new.status = 'draft'::text)))) EXECUTE FUNCTION keep_invoice();
CREATE TRIGGER ledger_kept BEFORE DELETE OR UPDATE ON ledger_transaction FOR EACH ROW EXECUTE FUNCTION keep_ledger();
CREATE CONSTRAINT TRIGGER lines_checked AFTER INSERT ON credit_note DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_credit_note();
CREATE TRIGGER logo_kept BEFORE UPDATE ON organization_logo FOR EACH ROW EXECUTE FUNCTION keep_logo();
CREATE TRIGGER member_numbered BEFORE INSERT ON invoice FOR EACH ROW WHEN ((new.consolidated_invoice_id IS NOT NULL)) EXECUTE FUNCTION check_member_number();
CREATE TRIGGER mrr_added AFTER INSERT ON subscription_item FOR EACH ROW WHEN ((new.unit_price > 0)) EXECUTE FUNCTION count_mrr();
CREATE TRIGGER mrr_changed AFTER UPDATE ON subscription FOR EACH ROW WHEN (((((((((old.status IS DISTINCT FROM new.status) OR (old."interval" IS DISTINCT FROM new."interval")) OR (old.interval_count IS DISTINCT FROM new.interval_count)) OR (old.trial_end IS DISTINCT FROM new.trial_end)) OR (old.is_free_plan IS DISTINCT FROM new.is_free_plan)) OR (old.do_not_charge IS DISTINCT FROM new.do_not_charge)) OR (old.adjustment_count IS DISTINCT FROM new.adjustment_count)) OR ((old.current_billing_period_start IS DISTINCT FROM new.current_billing_period_start) AND (new.current_billing_period_start = new.trial_end)))) EXECUTE FUNCTION count_mrr();
CREATE TRIGGER mrr_changed AFTER UPDATE ON subscription_item FOR EACH ROW WHEN (((((((old.unit_price IS DISTINCT FROM new.unit_price) OR (old.quantity IS DISTINCT FROM new.quantity)) OR (old.priced_amount IS DISTINCT FROM new.priced_amount)) OR ((old.price_id)::text IS DISTINCT FROM (new.price_id)::text)) OR (old.added_date IS DISTINCT FROM new.added_date)) OR (old.expired_at IS DISTINCT FROM new.expired_at))) EXECUTE FUNCTION count_mrr();
CREATE TRIGGER origin BEFORE INSERT ON event FOR EACH ROW WHEN ((new.cause_id ~~ '% %'::text)) EXECUTE FUNCTION split_origin();
CREATE TRIGGER owed_added AFTER INSERT ON invoice REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_amount_owed();
CREATE TRIGGER owed_added AFTER INSERT ON payment REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_amount_owed();
CREATE TRIGGER owed_changed AFTER UPDATE ON invoice REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_amount_owed();
CREATE TRIGGER owed_changed AFTER UPDATE ON payment REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_amount_owed();
CREATE TRIGGER owed_removed AFTER DELETE ON invoice REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_amount_owed();
CREATE TRIGGER owed_removed AFTER DELETE ON payment REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_amount_owed();
CREATE TRIGGER parties_kept BEFORE UPDATE OF parties ON invoice FOR EACH ROW WHEN (((old.parties IS NOT NULL) AND (new.parties IS DISTINCT FROM old.parties))) EXECUTE FUNCTION keep_invoice();
CREATE TRIGGER parties_named BEFORE INSERT OR UPDATE OF status ON invoice FOR EACH ROW WHEN (((new.status <> 'draft'::text) AND (new.parties IS NULL))) EXECUTE FUNCTION name_parties();
CREATE TRIGGER payment_kept BEFORE UPDATE ON payment FOR EACH ROW WHEN ((((old.status = ANY (ARRAY['failed'::text, 'canceled'::text])) AND (new.status <> old.status) AND (NOT ((new.status = 'succeeded'::text) AND (new.remittance_id IS NULL)))) OR ((old.status = 'refunded'::text) AND (new.status <> ALL (ARRAY['refunded'::text, 'succeeded'::text]))) OR ((old.status = 'succeeded'::text) AND (new.status <> ALL (ARRAY['succeeded'::text, 'refunded'::text])) AND (NOT ((new.status = 'canceled'::text) AND (new.remittance_id IS NOT NULL)))) OR ((old.status = 'refunded'::text) AND (new.status = 'succeeded'::text) AND (new.refunded_amount >= old.refunded_amount)) OR (((((((old.amount IS DISTINCT FROM new.amount) OR ((old.currency)::text IS DISTINCT FROM (new.currency)::text)) OR ((old.invoice_id)::text IS DISTINCT FROM (new.invoice_id)::text)) OR ((old.idempotency_key)::text IS DISTINCT FROM (new.idempotency_key)::text)) OR ((old.remittance_id)::text IS DISTINCT FROM (new.remittance_id)::text)) OR ((old.charged_with_id)::text IS DISTINCT FROM (new.charged_with_id)::text)) OR (old.charge_amount IS DISTINCT FROM new.charge_amount)))) EXECUTE FUNCTION keep_payment();
CREATE TRIGGER redemption_released AFTER UPDATE OF released_at ON discount_redemption FOR EACH ROW WHEN (((old.released_at IS NULL) AND (new.released_at IS NOT NULL))) EXECUTE FUNCTION forget_redemption();
CREATE TRIGGER redemption_removed AFTER DELETE ON discount_redemption FOR EACH ROW EXECUTE FUNCTION forget_redemption();
CREATE CONSTRAINT TRIGGER remittance_added AFTER INSERT ON remittance DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status = ANY (ARRAY['received'::text, 'reversed'::text]))) EXECUTE FUNCTION check_remittance();
CREATE CONSTRAINT TRIGGER remittance_changed AFTER UPDATE ON remittance DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION check_remittance();
CREATE TRIGGER remittance_kept BEFORE UPDATE ON remittance FOR EACH ROW WHEN (((((old.currency)::text IS DISTINCT FROM (new.currency)::text) OR ((old.customer_id)::text IS DISTINCT FROM (new.customer_id)::text)) OR ((old.status <> 'expected'::text) AND (((((old.amount IS DISTINCT FROM new.amount) OR (old.method IS DISTINCT FROM new.method)) OR ((old.reference)::text IS DISTINCT FROM (new.reference)::text)) OR (old.received_at IS DISTINCT FROM new.received_at)) OR (old.recorded_by IS DISTINCT FROM new.recorded_by))) OR ((old.status = ANY (ARRAY['canceled'::text, 'reversed'::text])) AND (new.status <> old.status)) OR ((old.status = 'expected'::text) AND (new.status = 'reversed'::text)) OR ((old.status = 'received'::text) AND (new.status <> ALL (ARRAY['received'::text, 'reversed'::text]))))) EXECUTE FUNCTION keep_remittance();
CREATE CONSTRAINT TRIGGER remittance_paid AFTER INSERT ON payment DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.remittance_id IS NOT NULL)) EXECUTE FUNCTION check_remittance();
CREATE TRIGGER remittance_stays BEFORE DELETE ON remittance FOR EACH ROW WHEN (((pg_trigger_depth() = 0) AND (old.status = ANY (ARRAY['received'::text, 'reversed'::text])))) EXECUTE FUNCTION keep_remittance();
CREATE TRIGGER revenue_added AFTER INSERT ON invoice REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_invoiced();
CREATE TRIGGER revenue_added AFTER INSERT ON payment FOR EACH ROW WHEN (((new.status = ANY (ARRAY['succeeded'::text, 'refunded'::text])) OR (new.refunded_amount > 0))) EXECUTE FUNCTION count_paid();
CREATE TRIGGER revenue_changed AFTER UPDATE ON invoice FOR EACH ROW WHEN ((((old.status = ANY (ARRAY['draft'::text, 'void'::text])) <> (new.status = ANY (ARRAY['draft'::text, 'void'::text]))) OR ((old.status <> ALL (ARRAY['draft'::text, 'void'::text])) AND (((old.total IS DISTINCT FROM new.total) OR ((old.currency)::text IS DISTINCT FROM (new.currency)::text)) OR (old.invoice_date IS DISTINCT FROM new.invoice_date))))) EXECUTE FUNCTION count_invoiced();
CREATE TRIGGER revenue_changed AFTER UPDATE ON payment FOR EACH ROW WHEN (((old.status <> new.status) OR (old.refunded_amount <> new.refunded_amount) OR (old.reversed_amount <> new.reversed_amount))) EXECUTE FUNCTION count_paid();
CREATE TRIGGER revenue_removed AFTER DELETE ON invoice FOR EACH ROW WHEN ((old.status <> ALL (ARRAY['draft'::text, 'void'::text]))) EXECUTE FUNCTION count_invoiced();
CREATE TRIGGER revenue_removed BEFORE DELETE ON payment FOR EACH ROW EXECUTE FUNCTION uncount_paid();
CREATE TRIGGER statistic_added AFTER INSERT ON mrr_movement FOR EACH ROW EXECUTE FUNCTION count_mrr_movement();
CREATE TRIGGER statistic_added AFTER INSERT ON subscription_status_change FOR EACH ROW EXECUTE FUNCTION count_status_change();
CREATE TRIGGER statistic_added AFTER INSERT ON usage_part REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_usage_parts();
CREATE TRIGGER statistic_changed AFTER UPDATE ON subscription_status_change FOR EACH ROW EXECUTE FUNCTION count_status_change();
CREATE TRIGGER statistic_removed AFTER DELETE ON mrr_movement FOR EACH ROW EXECUTE FUNCTION count_mrr_movement();
CREATE TRIGGER statistic_removed AFTER DELETE ON subscription_status_change FOR EACH ROW EXECUTE FUNCTION count_status_change();
CREATE TRIGGER statistic_removed AFTER DELETE ON usage_part REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_usage_parts();
CREATE TRIGGER status_added AFTER INSERT ON subscription FOR EACH ROW EXECUTE FUNCTION count_status();
CREATE TRIGGER status_changed AFTER UPDATE ON subscription FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION count_status();
CREATE TRIGGER taxes_checked AFTER INSERT OR UPDATE OF tax_lines, tax_amount ON credit_note FOR EACH ROW WHEN ((new.tax_lines IS NOT NULL)) EXECUTE FUNCTION check_taxes();
CREATE TRIGGER taxes_checked AFTER INSERT OR UPDATE OF tax_lines, tax_amount ON invoice FOR EACH ROW WHEN ((new.tax_lines IS NOT NULL)) EXECUTE FUNCTION check_taxes();
CREATE TRIGGER taxes_kept BEFORE UPDATE OF tax_lines ON invoice FOR EACH ROW WHEN (((old.status <> 'draft'::text) AND (new.tax_lines IS DISTINCT FROM old.tax_lines))) EXECUTE FUNCTION keep_invoice();
CREATE TRIGGER terms_kept BEFORE UPDATE ON price FOR EACH ROW WHEN (((((((((((((((((((old.type IS DISTINCT FROM new.type) OR (old.unit_price IS DISTINCT FROM new.unit_price)) OR ((old.currency)::text IS DISTINCT FROM (new.currency)::text)) OR (old.interval_unit IS DISTINCT FROM new.interval_unit)) OR (old.interval_count IS DISTINCT FROM new.interval_count)) OR (old.trial_period_days IS DISTINCT FROM new.trial_period_days)) OR (old.usage_events_per_unit IS DISTINCT FROM new.usage_events_per_unit)) OR ((old.product_id)::text IS DISTINCT FROM (new.product_id)::text)) OR ((old.usage_meter_id)::text IS DISTINCT FROM (new.usage_meter_id)::text)) OR (old.model IS DISTINCT FROM new.model)) OR (old.tiers IS DISTINCT FROM new.tiers)) OR (old.package_size IS DISTINCT FROM new.package_size)) OR (old.percentage IS DISTINCT FROM new.percentage)) OR (old.fixed_fee IS DISTINCT FROM new.fixed_fee)) OR (old.free_units IS DISTINCT FROM new.free_units)) OR (old.minimum_amount IS DISTINCT FROM new.minimum_amount)) OR (old.maximum_amount IS DISTINCT FROM new.maximum_amount)) OR (old.matrix IS DISTINCT FROM new.matrix))) EXECUTE FUNCTION keep_price_terms();
-- Rows that depend on others are deleted in the order of these references.
alter table ONLY api_key add CONSTRAINT api_key_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY billing_period add CONSTRAINT billing_period_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY billing_run add CONSTRAINT billing_run_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY customer add CONSTRAINT customer_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY event add CONSTRAINT event_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY feature add CONSTRAINT feature_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY invoice add CONSTRAINT invoice_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY invoice_line_item add CONSTRAINT invoice_line_item_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY payment add CONSTRAINT payment_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY payment_method add CONSTRAINT payment_method_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY price add CONSTRAINT price_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY product add CONSTRAINT product_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY product_feature add CONSTRAINT product_feature_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY refund add CONSTRAINT refund_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY reservation add CONSTRAINT reservation_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY resource add CONSTRAINT resource_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY resource_claim add CONSTRAINT resource_claim_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY subscription add CONSTRAINT subscription_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY subscription_item add CONSTRAINT subscription_item_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY subscription_item_feature add CONSTRAINT subscription_item_feature_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY test_clock add CONSTRAINT test_clock_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY usage_credit add CONSTRAINT usage_credit_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY usage_meter add CONSTRAINT usage_meter_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY usage_meter_balance add CONSTRAINT usage_meter_balance_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY webhook add CONSTRAINT webhook_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY webhook_delivery add CONSTRAINT webhook_delivery_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY organization_settings add CONSTRAINT organization_settings_organization FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table ONLY pricing_model add CONSTRAINT pricing_model_organization FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table ONLY subscription add CONSTRAINT subscription_backup_payment_method_id_foreign FOREIGN KEY (backup_payment_method_id) REFERENCES payment_method(id) ON DELETE SET NULL;
alter table ONLY subscription add CONSTRAINT subscription_default_payment_method_id_foreign FOREIGN KEY (default_payment_method_id) REFERENCES payment_method(id) ON DELETE SET NULL;
alter table ONLY subscription_item_feature add CONSTRAINT subscription_item_feature_product_feature_id_foreign FOREIGN KEY (product_feature_id) REFERENCES product_feature(id) ON DELETE SET NULL;
alter table ONLY invoice add CONSTRAINT invoice_billing_period_id_foreign FOREIGN KEY (billing_period_id) REFERENCES billing_period(id) ON DELETE CASCADE;
alter table ONLY invoice_line_item add CONSTRAINT invoice_line_item_price_id_foreign FOREIGN KEY (price_id) REFERENCES price(id) ON DELETE RESTRICT;
alter table ONLY payment add CONSTRAINT payment_payment_method_id_foreign FOREIGN KEY (payment_method_id) REFERENCES payment_method(id) ON DELETE SET NULL;
alter table ONLY owed_usage add CONSTRAINT owed_usage_invoice_line_item_id_foreign FOREIGN KEY (invoice_line_item_id) REFERENCES invoice_line_item(id);
alter table ONLY owed_usage add CONSTRAINT owed_usage_undone_line_item_id_foreign FOREIGN KEY (undone_line_item_id) REFERENCES invoice_line_item(id);
alter table ONLY resource_claim add CONSTRAINT resource_claim_resource_id_tenant FOREIGN KEY (resource_id, pricing_model_id) REFERENCES resource(id, pricing_model_id);
alter table ONLY resource_claim add CONSTRAINT resource_claim_subscription_tenant FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY reservation add CONSTRAINT reservation_balance_id_tenant FOREIGN KEY (balance_id, pricing_model_id) REFERENCES usage_meter_balance(id, pricing_model_id);
alter table ONLY reservation add CONSTRAINT reservation_resource_id_tenant FOREIGN KEY (resource_id, pricing_model_id) REFERENCES resource(id, pricing_model_id);
alter table ONLY reservation add CONSTRAINT reservation_subscription_tenant FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY webhook_delivery add CONSTRAINT webhook_delivery_event_owner FOREIGN KEY (event_id) REFERENCES event(id) ON DELETE CASCADE;
alter table ONLY webhook_delivery add CONSTRAINT webhook_delivery_webhook_id_tenant FOREIGN KEY (webhook_id, pricing_model_id) REFERENCES webhook(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY customer_token add CONSTRAINT customer_token_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY payment_method_setup add CONSTRAINT payment_method_setup_payment_method_id_foreign FOREIGN KEY (payment_method_id) REFERENCES payment_method(id) ON DELETE CASCADE;
alter table ONLY dispute add CONSTRAINT dispute_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY payment_method_setup add CONSTRAINT payment_method_setup_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY processor_account add CONSTRAINT processor_account_organization FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table ONLY processor_difference add CONSTRAINT processor_difference_processor_account_id_foreign FOREIGN KEY (processor_account_id) REFERENCES processor_account(id) ON DELETE CASCADE;
alter table ONLY processor_difference add CONSTRAINT processor_difference_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY invoice add CONSTRAINT invoice_customer_currency FOREIGN KEY (customer_id, currency) REFERENCES customer(id, currency) DEFERRABLE INITIALLY DEFERRED;
alter table ONLY invoice add CONSTRAINT invoice_subscription_currency FOREIGN KEY (subscription_id, currency) REFERENCES subscription(id, currency) DEFERRABLE INITIALLY DEFERRED;
alter table ONLY payment add CONSTRAINT payment_invoice_currency FOREIGN KEY (invoice_id, currency) REFERENCES invoice(id, currency) DEFERRABLE INITIALLY DEFERRED;
alter table ONLY refund add CONSTRAINT refund_payment_currency FOREIGN KEY (payment_id, currency) REFERENCES payment(id, currency) DEFERRABLE INITIALLY DEFERRED;
alter table ONLY mrr_change add CONSTRAINT mrr_change_subscription_currency FOREIGN KEY (subscription_id, currency) REFERENCES subscription(id, currency) DEFERRABLE INITIALLY DEFERRED;
alter table ONLY remittance add CONSTRAINT remittance_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY credit_note_line add CONSTRAINT credit_note_line_invoice_line_item_id_foreign FOREIGN KEY (invoice_line_item_id) REFERENCES invoice_line_item(id) ON DELETE CASCADE;
alter table ONLY refund add CONSTRAINT refund_credit_note_id_foreign FOREIGN KEY (credit_note_id) REFERENCES credit_note(id) ON DELETE CASCADE;
alter table ONLY credit_note add CONSTRAINT credit_note_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY credit_note add CONSTRAINT credit_note_invoice_currency FOREIGN KEY (invoice_id, currency) REFERENCES invoice(id, currency) DEFERRABLE INITIALLY DEFERRED;
alter table ONLY book_difference add CONSTRAINT book_difference_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY payment add CONSTRAINT payment_remittance_currency FOREIGN KEY (remittance_id, currency) REFERENCES remittance(id, currency) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
alter table ONLY payment add CONSTRAINT payment_remittance_owner FOREIGN KEY (remittance_id, customer_id) REFERENCES remittance(id, customer_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
alter table ONLY dispute add CONSTRAINT dispute_payment_currency FOREIGN KEY (payment_id, currency) REFERENCES payment(id, currency) ON DELETE CASCADE;
alter table ONLY credit_note add CONSTRAINT credit_note_invoice_owner FOREIGN KEY (invoice_id, customer_id) REFERENCES invoice(id, customer_id) ON DELETE CASCADE;
alter table ONLY discount add CONSTRAINT discount_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY discount_redemption add CONSTRAINT discount_redemption_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY purchase add CONSTRAINT purchase_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY checkout_session add CONSTRAINT checkout_session_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY purchase add CONSTRAINT purchase_subscription_id_foreign FOREIGN KEY (subscription_id) REFERENCES subscription(id) ON DELETE SET NULL;
alter table ONLY checkout_session add CONSTRAINT checkout_session_subscription_id_foreign FOREIGN KEY (subscription_id) REFERENCES subscription(id) ON DELETE SET NULL;
alter table ONLY checkout_session add CONSTRAINT checkout_session_setup_id_foreign FOREIGN KEY (setup_id) REFERENCES payment_method_setup(id) ON DELETE SET NULL;
alter table ONLY invoice add CONSTRAINT invoice_purchase_id_tenant FOREIGN KEY (purchase_id, pricing_model_id) REFERENCES purchase(id, pricing_model_id);
alter table ONLY payment add CONSTRAINT payment_purchase_id_tenant FOREIGN KEY (purchase_id, pricing_model_id) REFERENCES purchase(id, pricing_model_id);
alter table ONLY discount_redemption add CONSTRAINT discount_redemption_purchase_id_tenant FOREIGN KEY (purchase_id, pricing_model_id) REFERENCES purchase(id, pricing_model_id);
alter table ONLY checkout_session add CONSTRAINT checkout_session_discount_id_tenant FOREIGN KEY (discount_id, pricing_model_id) REFERENCES discount(id, pricing_model_id);
alter table ONLY organization_logo add CONSTRAINT organization_logo_organization FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table ONLY organization_settings add CONSTRAINT organization_settings_logo_id_foreign FOREIGN KEY (logo_id) REFERENCES organization_logo(id) ON DELETE SET NULL;
alter table ONLY subscription_item add CONSTRAINT subscription_item_purchase_id_tenant FOREIGN KEY (purchase_id, pricing_model_id) REFERENCES purchase(id, pricing_model_id);
alter table ONLY usage_credit add CONSTRAINT usage_credit_purchase_id_tenant FOREIGN KEY (purchase_id, pricing_model_id) REFERENCES purchase(id, pricing_model_id);
alter table ONLY price add CONSTRAINT price_product_id_foreign FOREIGN KEY (product_id, pricing_model_id) REFERENCES product(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY price add CONSTRAINT price_usage_meter_id_foreign FOREIGN KEY (usage_meter_id, pricing_model_id) REFERENCES usage_meter(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY feature add CONSTRAINT feature_resource_id_foreign FOREIGN KEY (resource_id, pricing_model_id) REFERENCES resource(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY feature add CONSTRAINT feature_usage_meter_id_foreign FOREIGN KEY (usage_meter_id, pricing_model_id) REFERENCES usage_meter(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY product_feature add CONSTRAINT product_feature_feature_id_foreign FOREIGN KEY (feature_id, pricing_model_id) REFERENCES feature(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY product_feature add CONSTRAINT product_feature_product_id_foreign FOREIGN KEY (product_id, pricing_model_id) REFERENCES product(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY customer add CONSTRAINT customer_test_clock_id_foreign FOREIGN KEY (test_clock_id, pricing_model_id) REFERENCES test_clock(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY payment_method add CONSTRAINT payment_method_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY subscription add CONSTRAINT subscription_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY subscription add CONSTRAINT subscription_price_id_foreign FOREIGN KEY (price_id, pricing_model_id) REFERENCES price(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY subscription_item add CONSTRAINT subscription_item_price_id_foreign FOREIGN KEY (price_id, pricing_model_id) REFERENCES price(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY subscription_item add CONSTRAINT subscription_item_subscription_id_foreign FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY subscription_item_feature add CONSTRAINT subscription_item_feature_feature_id_foreign FOREIGN KEY (feature_id, pricing_model_id) REFERENCES feature(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY subscription_item_feature add CONSTRAINT subscription_item_feature_subscription_item_id_foreign FOREIGN KEY (subscription_item_id, pricing_model_id) REFERENCES subscription_item(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY billing_period add CONSTRAINT billing_period_subscription_id_foreign FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY billing_run add CONSTRAINT billing_run_billing_period_id_foreign FOREIGN KEY (billing_period_id, pricing_model_id) REFERENCES billing_period(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY billing_run add CONSTRAINT billing_run_invoice_id_foreign FOREIGN KEY (invoice_id, pricing_model_id) REFERENCES invoice(id, pricing_model_id) ON DELETE SET NULL (invoice_id);
alter table ONLY billing_run add CONSTRAINT billing_run_subscription_id_foreign FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY invoice add CONSTRAINT invoice_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY invoice add CONSTRAINT invoice_subscription_id_foreign FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY invoice_line_item add CONSTRAINT invoice_line_item_invoice_id_foreign FOREIGN KEY (invoice_id, pricing_model_id) REFERENCES invoice(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY payment add CONSTRAINT payment_invoice_id_foreign FOREIGN KEY (invoice_id, pricing_model_id) REFERENCES invoice(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY payment add CONSTRAINT payment_remittance_id_foreign FOREIGN KEY (remittance_id, pricing_model_id) REFERENCES remittance(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY refund add CONSTRAINT refund_payment_id_foreign FOREIGN KEY (payment_id, pricing_model_id) REFERENCES payment(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY usage_meter_balance add CONSTRAINT usage_meter_balance_subscription_id_foreign FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY usage_meter_balance add CONSTRAINT usage_meter_balance_usage_meter_id_foreign FOREIGN KEY (usage_meter_id, pricing_model_id) REFERENCES usage_meter(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY usage_credit add CONSTRAINT usage_credit_balance_id_foreign FOREIGN KEY (balance_id, pricing_model_id) REFERENCES usage_meter_balance(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY ledger_transaction add CONSTRAINT ledger_transaction_balance_id_foreign FOREIGN KEY (balance_id, pricing_model_id) REFERENCES usage_meter_balance(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY customer_token add CONSTRAINT customer_token_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY payment_method_setup add CONSTRAINT payment_method_setup_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY dispute add CONSTRAINT dispute_payment_id_foreign FOREIGN KEY (payment_id, pricing_model_id) REFERENCES payment(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY remittance add CONSTRAINT remittance_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY credit_note add CONSTRAINT credit_note_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY credit_note add CONSTRAINT credit_note_invoice_id_foreign FOREIGN KEY (invoice_id, pricing_model_id) REFERENCES invoice(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY book_difference add CONSTRAINT book_difference_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY discount_redemption add CONSTRAINT discount_redemption_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY discount_redemption add CONSTRAINT discount_redemption_discount_id_foreign FOREIGN KEY (discount_id, pricing_model_id) REFERENCES discount(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY discount_redemption add CONSTRAINT discount_redemption_subscription_id_foreign FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY purchase add CONSTRAINT purchase_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY purchase add CONSTRAINT purchase_price_id_foreign FOREIGN KEY (price_id, pricing_model_id) REFERENCES price(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY checkout_session add CONSTRAINT checkout_session_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY checkout_session add CONSTRAINT checkout_session_price_id_foreign FOREIGN KEY (price_id, pricing_model_id) REFERENCES price(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY checkout_session add CONSTRAINT checkout_session_purchase_id_foreign FOREIGN KEY (purchase_id, pricing_model_id) REFERENCES purchase(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY checkout_session add CONSTRAINT checkout_session_target_subscription_id_foreign FOREIGN KEY (target_subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY operator add CONSTRAINT operator_organization FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table ONLY operator_invitation add CONSTRAINT operator_invitation_organization FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table ONLY operator_invitation add CONSTRAINT operator_invitation_operator_id_foreign FOREIGN KEY (operator_id) REFERENCES operator(id) ON DELETE CASCADE;
alter table ONLY operator_invitation add CONSTRAINT operator_invitation_owner FOREIGN KEY (operator_id, organization_id) REFERENCES operator(id, organization_id) ON DELETE CASCADE;
alter table ONLY operator_session add CONSTRAINT operator_session_organization FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table ONLY operator_session add CONSTRAINT operator_session_operator_id_foreign FOREIGN KEY (operator_id) REFERENCES operator(id) ON DELETE CASCADE;
alter table ONLY operator_session add CONSTRAINT operator_session_owner FOREIGN KEY (operator_id, organization_id) REFERENCES operator(id, organization_id) ON DELETE CASCADE;
alter table ONLY usage_refusal add CONSTRAINT usage_refusal_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY billing_period_item add CONSTRAINT billing_period_item_billing_period_id_foreign FOREIGN KEY (billing_period_id, organization_id) REFERENCES billing_period(id, organization_id) ON DELETE CASCADE;
alter table ONLY book_opening add CONSTRAINT book_opening_customer_id_foreign FOREIGN KEY (customer_id, organization_id) REFERENCES customer(id, organization_id) ON DELETE CASCADE;
alter table ONLY credit_note_line add CONSTRAINT credit_note_line_credit_note_id_foreign FOREIGN KEY (credit_note_id, organization_id) REFERENCES credit_note(id, organization_id) ON DELETE CASCADE;
alter table ONLY mrr_change add CONSTRAINT mrr_change_subscription_id_foreign FOREIGN KEY (subscription_id, organization_id) REFERENCES subscription(id, organization_id) ON DELETE CASCADE;
alter table ONLY mrr_movement add CONSTRAINT mrr_movement_customer_id_foreign FOREIGN KEY (customer_id, organization_id) REFERENCES customer(id, organization_id) ON DELETE CASCADE;
alter table ONLY subscription_status_change add CONSTRAINT subscription_status_change_subscription_id_foreign FOREIGN KEY (subscription_id, organization_id) REFERENCES subscription(id, organization_id) ON DELETE CASCADE;
alter table ONLY owed_usage add CONSTRAINT owed_usage_balance_id_foreign FOREIGN KEY (balance_id, organization_id) REFERENCES usage_meter_balance(id, organization_id) ON DELETE CASCADE;
alter table ONLY usage_hour add CONSTRAINT usage_hour_balance_id_foreign FOREIGN KEY (balance_id, organization_id) REFERENCES usage_meter_balance(id, organization_id) ON DELETE CASCADE;
alter table ONLY usage_part add CONSTRAINT usage_part_balance_id_foreign FOREIGN KEY (balance_id, organization_id) REFERENCES usage_meter_balance(id, organization_id) ON DELETE CASCADE;
alter table ONLY usage_total add CONSTRAINT usage_total_balance_id_foreign FOREIGN KEY (balance_id, organization_id) REFERENCES usage_meter_balance(id, organization_id) ON DELETE CASCADE;
alter table ONLY usage_meter_part add CONSTRAINT usage_meter_part_usage_meter_id_foreign FOREIGN KEY (usage_meter_id, organization_id) REFERENCES usage_meter(id, organization_id) ON DELETE CASCADE;
alter table ONLY usage_credit_application add CONSTRAINT usage_credit_application_credit_id_foreign FOREIGN KEY (credit_id, organization_id) REFERENCES usage_credit(id, organization_id) ON DELETE CASCADE;
alter table ONLY processor_customer add CONSTRAINT processor_customer_customer_id_foreign FOREIGN KEY (customer_id, organization_id) REFERENCES customer(id, organization_id) ON DELETE CASCADE;
alter table ONLY processor_event add CONSTRAINT processor_event_processor_account_id_foreign FOREIGN KEY (processor_account_id, organization_id) REFERENCES processor_account(id, organization_id) ON DELETE CASCADE;
alter table ONLY resource_claim_count add CONSTRAINT resource_claim_count_owner FOREIGN KEY (subscription_id, organization_id) REFERENCES subscription(id, organization_id) ON DELETE CASCADE;
alter table ONLY usage_history_file add CONSTRAINT usage_history_file_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE;
alter table ONLY alert add CONSTRAINT alert_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY alert_crossing add CONSTRAINT alert_crossing_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY alert add CONSTRAINT alert_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY alert add CONSTRAINT alert_subscription_id_foreign FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY alert add CONSTRAINT alert_usage_meter_id_foreign FOREIGN KEY (usage_meter_id, pricing_model_id) REFERENCES usage_meter(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY alert_crossing add CONSTRAINT alert_crossing_alert_id_foreign FOREIGN KEY (alert_id, pricing_model_id) REFERENCES alert(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY top_up add CONSTRAINT top_up_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY top_up add CONSTRAINT top_up_subscription_id_foreign FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY top_up add CONSTRAINT top_up_usage_meter_id_foreign FOREIGN KEY (usage_meter_id, pricing_model_id) REFERENCES usage_meter(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY top_up add CONSTRAINT top_up_price_id_foreign FOREIGN KEY (price_id, pricing_model_id) REFERENCES price(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY usage_watch add CONSTRAINT usage_watch_subscription_id_foreign FOREIGN KEY (subscription_id, organization_id) REFERENCES subscription(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
alter table ONLY price_move add CONSTRAINT price_move_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY price_move add CONSTRAINT price_move_from_price_id_foreign FOREIGN KEY (from_price_id, pricing_model_id) REFERENCES price(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY price_move add CONSTRAINT price_move_to_price_id_foreign FOREIGN KEY (to_price_id, pricing_model_id) REFERENCES price(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY mail_settings add CONSTRAINT mail_settings_organization FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table ONLY mail_template add CONSTRAINT mail_template_organization FOREIGN KEY (organization_id) REFERENCES organization(id);
alter table ONLY tax_rate add CONSTRAINT tax_rate_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY one_off_charge add CONSTRAINT one_off_charge_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY one_off_charge add CONSTRAINT one_off_charge_subscription_id_foreign FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY one_off_charge add CONSTRAINT one_off_charge_price_id_foreign FOREIGN KEY (price_id, pricing_model_id) REFERENCES price(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY one_off_charge add CONSTRAINT one_off_charge_invoice_id_foreign FOREIGN KEY (invoice_id, pricing_model_id) REFERENCES invoice(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY subscription_phase add CONSTRAINT subscription_phase_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY subscription_phase add CONSTRAINT subscription_phase_subscription_id_foreign FOREIGN KEY (subscription_id, pricing_model_id) REFERENCES subscription(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY payment add CONSTRAINT payment_charged_with_tenant FOREIGN KEY (charged_with_id, pricing_model_id) REFERENCES payment(id, pricing_model_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
alter table ONLY one_off_charge add CONSTRAINT one_off_charge_billing_period_id_foreign FOREIGN KEY (billing_period_id, pricing_model_id) REFERENCES billing_period(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY alert_rule add CONSTRAINT alert_rule_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY alert_rule add CONSTRAINT alert_rule_usage_meter_id_foreign FOREIGN KEY (usage_meter_id, pricing_model_id) REFERENCES usage_meter(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY alert add CONSTRAINT alert_rule_id_foreign FOREIGN KEY (rule_id, pricing_model_id) REFERENCES alert_rule(id, pricing_model_id) ON DELETE RESTRICT;
alter table ONLY prepaid_credit_use add CONSTRAINT prepaid_credit_use_invoice_id_foreign FOREIGN KEY (invoice_id) REFERENCES invoice(id) ON UPDATE CASCADE ON DELETE CASCADE;
alter table ONLY prepaid_credit add CONSTRAINT prepaid_credit_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY prepaid_credit add CONSTRAINT prepaid_credit_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY prepaid_credit add CONSTRAINT prepaid_credit_invoice_id_foreign FOREIGN KEY (invoice_id, pricing_model_id) REFERENCES invoice(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY prepaid_credit_use add CONSTRAINT prepaid_credit_use_credit_id_foreign FOREIGN KEY (credit_id, organization_id) REFERENCES prepaid_credit(id, organization_id) ON UPDATE CASCADE ON DELETE CASCADE;
alter table ONLY prepaid_top_up add CONSTRAINT prepaid_top_up_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY prepaid_top_up add CONSTRAINT prepaid_top_up_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY consolidated_invoice add CONSTRAINT consolidated_invoice_tenant FOREIGN KEY (pricing_model_id, organization_id, livemode) REFERENCES pricing_model(id, organization_id, livemode);
alter table ONLY consolidated_invoice add CONSTRAINT consolidated_invoice_customer_id_foreign FOREIGN KEY (customer_id, pricing_model_id) REFERENCES customer(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY invoice add CONSTRAINT invoice_consolidated_invoice_id_foreign FOREIGN KEY (consolidated_invoice_id, pricing_model_id) REFERENCES consolidated_invoice(id, pricing_model_id) ON DELETE CASCADE;
alter table ONLY invoice add CONSTRAINT invoice_consolidated_terms FOREIGN KEY (consolidated_invoice_id, customer_id, currency, collection_method, due_date) REFERENCES consolidated_invoice(id, customer_id, currency, collection_method, due_date) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
alter table ONLY invoice add CONSTRAINT invoice_prepaid_credit_tenant FOREIGN KEY (prepaid_credit_id, pricing_model_id) REFERENCES prepaid_credit(id, pricing_model_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
alter table ONLY prepaid_top_up add CONSTRAINT prepaid_top_up_pending_tenant FOREIGN KEY (pending_credit_id, pricing_model_id) REFERENCES prepaid_credit(id, pricing_model_id) ON DELETE SET NULL (pending_credit_id) DEFERRABLE INITIALLY DEFERRED;
CREATE TABLE sql_function (
    name text NOT NULL,
    signature text NOT NULL,
    digest text NOT NULL,
    applied_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
alter table ONLY sql_function add CONSTRAINT sql_function_pkey PRIMARY KEY (name);
-- The partitions of this month and the next one. The job of usage events adds later ones.
do $$
declare
  month timestamp;
begin
  for n in 0..1 loop
    month := date_trunc('month', now() at time zone 'UTC') + n * interval '1 month';
    execute format('create table %1$I (like usage_event including defaults including constraints);
      alter table usage_event attach partition %1$I for values from (%2$L) to (%3$L)', 'usage_event_' || to_char(month, 'YYYY_MM'),
      month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
  end loop;
end $$;
