import { checksOf } from '#domain/kernel/columns.ts';
/** The promises of an invoice's amounts, purpose and kind that the database keeps. */
export const invoiceChecks = checksOf({
  invoice_consolidates: `consolidated_invoice_id is null or (purpose = 'period' and status <> 'draft'
      and due_date is not null)`,
  invoice_amounts: `subtotal >= 0 and tax_amount >= 0
      and total = subtotal + case when tax_inclusive then 0 else tax_amount end`,
  invoice_credit: 'credit_applied >= 0 and credit_applied + amount_waived <= total',
  invoice_prepaid: 'prepaid_applied >= 0 and prepaid_applied <= credit_applied',
  invoice_prepaid_credit: `prepaid_credit_id is null or type = 'standalone' and tax_amount = 0 and prepaid_applied = 0`,
  invoice_credited: `amount_credited >= 0 and amount_credited <= total and tax_credited >= 0 and tax_credited <= tax_amount
      and amount_waived >= 0 and amount_waived <= amount_credited`,
  invoice_purpose: `case purpose
      when 'manual' then type <> 'subscription'
      when 'period' then type = 'subscription' and billing_period_id is not null
      when 'adjustment' then type = 'subscription' and billing_period_id is not null and billing_run_id is not null
      else type = 'subscription' and billing_run_id is null end`,
  invoice_variant: `case type when 'subscription' then subscription_id is not null and purchase_id is null
      when 'purchase' then purchase_id is not null and subscription_id is null
      else num_nonnulls(subscription_id, purchase_id, billing_period_id) = 0 end`,
});
