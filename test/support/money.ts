import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';

/** The money of an invoice `i` and its credit notes. */
const moneyOfInvoice = `
  select count(p.id) as attempts,
    count(p.id) filter (where p.status in ('processing', 'requires_confirmation', 'requires_action')) as pending,
    coalesce(sum(p.amount - p.refunded_amount - p.reversed_amount - p.credited_amount)
      filter (where p.status in ('succeeded', 'refunded')), 0) as net,
    coalesce(sum(returned.undocumented), 0) as undocumented,
    min(note.credited) as credited, min(note.given_up) as given_up, min(note.waived) as waived
  from (select coalesce(sum(credited_amount), 0) as credited, coalesce(sum(written_off_amount), 0) as given_up,
      coalesce(sum(refunded_amount + written_off_amount), 0) as waived from credit_note where invoice_id = i.id) note
    left join payment p on p.invoice_id = i.id
    left join lateral (
      select sum(amount) filter (where is_undocumented) as undocumented
      from refund where payment_id = p.id and status = 'succeeded') returned on true`;

/** Violations of the invariants, each as the query that finds it among the rows of a tenant. */
const violations: Readonly<Record<string, string>> = {
  'a charge that has succeeded without its one payment': `
    select p.id, c.idempotency_key from sandbox_charge c
    join payment_method m on m.id = c.payment_method_id
    left join payment p on p.idempotency_key = c.idempotency_key
    where m.pricing_model_id = $tenant and c.status = 'succeeded'
      and (p.id is null or p.status not in ('succeeded', 'refunded') and p.check_due_at is null)`,
  'a payment that differs from the records of the processor': `
    select p.id, p.status, p.amount, c.status as charge, c.amount as charged, c.refunded
    from payment p left join sandbox_charge c using (idempotency_key), lateral (
      select sum(amount) as amount, sum(refunded_amount) as refunded, array_agg(id) as ids
      from payment where id = p.id or charged_with_id = p.id) parts
    where p.pricing_model_id = $tenant and p.remittance_id is null and p.charged_with_id is null and (
      p.status in ('succeeded', 'refunded') and
        (c.status is distinct from 'succeeded' or c.amount <> parts.amount or c.currency <> p.currency)
      or p.status = 'failed' and c.status = 'succeeded'
      or parts.refunded <> coalesce(c.refunded, 0) and not exists (
        select from refund r where r.payment_id = any (parts.ids) and r.status = 'pending'))`,
  'a payment of a charge that is decided without the others': `
    select p.id, p.status, charged.status as of_charge from payment p join payment charged on charged.id = p.charged_with_id
    where p.pricing_model_id = $tenant
      and replace(p.status, 'refunded', 'succeeded') <> replace(charged.status, 'refunded', 'succeeded')`,
  'a run that has been paid for more than once': `
    select p.billing_run_id from payment p join sandbox_charge c using (idempotency_key)
    where p.pricing_model_id = $tenant and p.billing_run_id is not null and c.status = 'succeeded'
    group by 1 having count(*) > 1`,
  // Each amount of an invoice is paid, credited, waived or due, and nothing is so twice. An open invoice owes at most
  // what its credit notes have left of it. A void one keeps only what its credit notes have put on the balance. A part
  // that was refunded before an invoice was paid in full is not to be paid any more, so the invoice is paid.
  'an invoice whose status is not what its money states': `
    select i.id, i.status, i.total, i.credit_applied, i.amount_waived, i.amount_credited, money.*, due.*
    from invoice i, lateral (${moneyOfInvoice}) money, lateral (
      select i.total - i.credit_applied - i.amount_waived - money.undocumented - money.net as due,
        i.credit_applied + money.net as paid, i.amount_waived - money.waived as covered) due
    where i.pricing_model_id = $tenant and (
      money.net < 0 or covered < 0 or (money.pending = 1) <> (i.status = 'awaiting_payment_confirmation')
      or money.pending > 1
      or case when i.status = 'draft' then money.attempts > 0 or i.credit_applied > 0
        when i.status in ('open', 'awaiting_payment_confirmation')
          then due <= 0 or due > i.total - i.amount_credited - money.undocumented
        when i.status = 'void' then paid <> greatest(0, money.credited - covered)
        else due <> 0 end
      or case i.status
        when 'paid' then paid <> i.total - money.given_up and not exists (
          select from payment p where p.invoice_id = i.id and p.remittance_id is not null and p.refunded_amount > 0)
        when 'partially_refunded' then paid = 0 or paid >= i.total - money.given_up
        when 'refunded' then paid <> 0 or i.total = money.given_up
        else false end)`,
  'a balance that differs from its prepaid credits': `
    select c.id, c.prepaid_balance, credits.remaining from customer c, lateral (
      select coalesce(sum(remaining), 0) as remaining from prepaid_credit where customer_id = c.id) credits
    where c.pricing_model_id = $tenant and c.prepaid_balance <> credits.remaining`,
  'an invoice that differs from its uses of prepaid credits': `
    select i.id, i.prepaid_applied, uses.amount from invoice i, lateral (
      select coalesce(sum(amount), 0) as amount from prepaid_credit_use where invoice_id = i.id) uses
    where i.pricing_model_id = $tenant and i.prepaid_applied <> uses.amount`,
  'a prepaid credit whose used part differs from its uses': `
    select p.id, p.used, uses.kept from prepaid_credit p join customer c on c.id = p.customer_id, lateral (
      select coalesce(sum(amount - returned), 0) as kept from prepaid_credit_use where credit_id = p.id) uses
    where c.pricing_model_id = $tenant and p.used <> uses.kept`,
  // Of a part that is used or expired, the customer may have its money back; that part is lacking.
  'bought credit that exceeds the money kept of its invoice': `
    select p.id, p.amount, p.revoked, p.lacking, money.* from prepaid_credit p
      join invoice i on i.id = p.invoice_id, lateral (${moneyOfInvoice}) money
    where i.pricing_model_id = $tenant and p.granted_at is not null and p.amount - p.revoked - p.lacking
      > i.credit_applied + money.net - greatest(0, money.credited - (i.amount_waived - money.waived))`,
  'an invoice that is not the sum of its lines and its tax': `
    select i.id, i.subtotal, i.tax_amount, i.total, lines.sum from invoice i, lateral (
      select coalesce(sum(amount), 0) as sum from invoice_line_item where invoice_id = i.id) lines
    where i.pricing_model_id = $tenant and (i.subtotal <> lines.sum
      or i.total <> lines.sum + case when i.tax_inclusive then 0 else i.tax_amount end
      or i.tax_amount <> case when i.tax_type is null or i.tax_type = 'none' then 0
        when i.tax_inclusive
          then round(lines.sum * i.tax_rate_percentage::numeric / (100 + i.tax_rate_percentage::numeric))
        else round(lines.sum * i.tax_rate_percentage::numeric / 100) end)`,
  'a gap in the invoice numbers of a customer': `
    select c.id from customer c left join (
      select customer_id, invoice_number::text from invoice where consolidated_invoice_id is null
      union all select customer_id, invoice_number::text from consolidated_invoice) i on i.customer_id = c.id
    where c.pricing_model_id = $tenant group by c.id
    having array_remove(array_agg(i.invoice_number order by i.invoice_number), null) is distinct from (
      select coalesce(array_agg(c.invoice_number_base || '-' || lpad(n::text, 5, '0') order by n), '{}')
      from generate_series(0, c.invoice_count - 1) n)`,
  'a document whose members are not numbered from 1': `
    select d.id from consolidated_invoice d left join invoice i on i.consolidated_invoice_id = d.id
    where d.pricing_model_id = $tenant group by d.id
    having array_agg(i.invoice_number::text order by length(i.invoice_number), i.invoice_number) is distinct from (
      select array_agg(d.invoice_number || '-' || n order by n) from generate_series(1, count(i.id)) n)`,
  'a gap in the credit note numbers of a customer': `
    select c.id from customer c left join credit_note n on n.customer_id = c.id
    where c.pricing_model_id = $tenant group by c.id
    having array_remove(array_agg(n.credit_note_number::text order by n.credit_note_number), null) is distinct from (
      select coalesce(array_agg(c.invoice_number_base || '-CN-' || lpad(n::text, 5, '0') order by n), '{}')
      from generate_series(0, c.credit_note_count - 1) n)`,
  'a credit note that is not the sum of its lines and their tax': `
    select n.id, n.subtotal, n.tax_amount, lines.* from credit_note n, lateral (
      select sum(amount) as amount, sum(tax_amount) as tax from credit_note_line where credit_note_id = n.id) lines
    where n.pricing_model_id = $tenant and (n.subtotal <> lines.amount or n.tax_amount <> lines.tax)`,
  'an invoice credited in full whose credit notes have another tax': `
    select i.id, i.tax_amount, i.tax_credited from invoice i
    where i.pricing_model_id = $tenant and i.amount_credited = i.total and i.tax_credited <> i.tax_amount`,
  // A refund that has failed after all has left its credit note as it was.
  'a refund that its credit note does not state': `
    select n.id, n.refunded_amount from credit_note n
    where n.pricing_model_id = $tenant and n.reason <> 'dispute_lost' and n.refunded_amount <> (select coalesce(sum(amount - from_balance), 0)
      from refund where credit_note_id = n.id and settled_at is not null)`,
  'books that do not agree': `
    select books.* from books_of(array(select id from customer where pricing_model_id = $tenant)) books
    where invoices - credit_notes - opening - prepaid - payments + refunds <> outstanding + balances`,
  'an amount owed that the books do not state': `
    select c.id, c.amount_owed from customer c
    where c.pricing_model_id = $tenant and c.amount_owed <> (
      select sum(outstanding) from books_of(array[c.id]))`,
  // A run that sends its invoice has nothing more to do. A receipt that is reversed opens an invoice again.
  'a run that has succeeded without its invoice being paid': `
    select r.id, i.status from billing_run r join invoice i on i.id = r.invoice_id
    where r.pricing_model_id = $tenant and r.status = 'succeeded' and i.sent_at is null
      and i.status not in ('paid', 'partially_refunded', 'refunded', 'void', 'uncollectible')
      and not exists (select from remittance m where m.customer_id = i.customer_id and m.status = 'reversed')`,
  'a run that no client will take up again': `
    select r.id, r.status from billing_run r
    where r.pricing_model_id = $tenant and r.status in ('scheduled', 'started', 'awaiting_payment_confirmation')
      and r.due_at is null and not exists (select from payment p where p.billing_run_id = r.id
        and p.status in ('processing', 'requires_confirmation', 'requires_action') and p.check_due_at is not null)`,
  'a payment that no client will ask about again': `
    select id, status from payment where pricing_model_id = $tenant and check_due_at is null and charged_with_id is null
      and status in ('processing', 'requires_confirmation', 'requires_action')`,
  'a subscription in good standing that owes something': `
    select s.id, s.status, i.id from subscription s join invoice i on i.subscription_id = s.id
    where s.pricing_model_id = $tenant and s.status in ('active', 'trialing') and i.status = 'open'
      and (i.collection_method = 'charge_automatically' or i.overdue_at is not null)
      and not exists (select from billing_run r where r.invoice_id = i.id and r.due_at is not null)`,
  'money of a payment without an event that tells of it': `
    select p.id, p.status from payment p
    where p.pricing_model_id = $tenant and p.status in ('succeeded', 'failed', 'refunded') and 1 <> (
      select count(*) from event e where e.object_id = p.id and e.type =
        case when p.failure_kind = 'configuration' then 'payment.misconfigured'
          when p.status = 'failed' then 'payment.failed' else 'payment.succeeded' end)`,
  'a receipt that differs from its payments': `
    select r.id, r.status, r.amount, parts.* from remittance r, lateral (
      select sum(amount) as sum, count(*) filter (where (status = 'canceled') <> (r.status = 'reversed')) as other,
        count(*) filter (where currency <> r.currency) as foreign_ones
      from payment where remittance_id = r.id) parts
    where r.pricing_model_id = $tenant and (parts.sum <> r.amount or parts.other > 0 or parts.foreign_ones > 0)`,
  'a customer with books in several currencies, or with less than nothing': `
    select c.id, c.credit_balance, c.amount_owed from customer c
    where c.pricing_model_id = $tenant and (c.credit_balance < 0 or c.amount_owed < 0
      or (select count(*) from books_of(array[c.id])) > 1)`,
  'an invoice that is sent and overdue without being so': `
    select i.id, i.status, i.due_date, i.overdue_at, i.follow_up_due_at from invoice i
    where i.pricing_model_id = $tenant and (i.overdue_at <= i.due_date
      or i.overdue_at is not null and i.collection_method <> 'send_invoice'
      or i.status = 'open' and i.sent_at is not null and i.overdue_at is null and i.follow_up_due_at is null)`,
  'an amount in another currency than its customer and its subscription': `
    select i.id, i.currency, c.currency as of_customer, s.currency as of_subscription from invoice i
    join customer c on c.id = i.customer_id left join subscription s on s.id = i.subscription_id
    where i.pricing_model_id = $tenant and (i.currency is distinct from c.currency or i.currency <> s.currency
      or exists (select from payment p where p.invoice_id = i.id and p.currency <> i.currency)
      or exists (select from credit_note n where n.invoice_id = i.id and n.currency <> i.currency)
      or exists (select from payment p join refund r on r.payment_id = p.id
        where p.invoice_id = i.id and r.currency <> i.currency)
      or exists (select from payment p join dispute d on d.payment_id = p.id
        where p.invoice_id = i.id and d.currency <> i.currency)
      or exists (select from invoice_line_item l join price p on p.id = l.price_id
        where l.invoice_id = i.id and p.unit_price > 0 and p.currency <> i.currency))`,
  'revenue of a currency that is not the sum of its payments': `
    select currency, revenue.paid, received.paid as received, revenue.refunded, received.refunded as returned
    from (select currency, sum(paid) as paid, sum(refunded) as refunded from revenue_day
        where pricing_model_id = $tenant group by 1) revenue
      full join (select currency, sum(amount) as paid, sum(refunded_amount + reversed_amount) as refunded from payment
        where pricing_model_id = $tenant and status in ('succeeded', 'refunded') group by 1) received using (currency)
    where (coalesce(revenue.paid, 0), coalesce(revenue.refunded, 0))
      <> (coalesce(received.paid, 0), coalesce(received.refunded, 0))`,
  // An invoice that was opened again, since a receipt is reversed, is paid once more. So is one whose refund without a
  // document fails.
  'a paid invoice without the one event that tells of it': `
    select i.id from invoice i, lateral (
      select count(*) from event e where e.object_id = i.id and e.type = 'invoice.paid') told
    where i.pricing_model_id = $tenant and i.total > 0 and i.status in ('paid', 'partially_refunded', 'refunded')
      and (told.count = 0 or told.count > 1 and not exists (
        select from remittance r where r.customer_id = i.customer_id and r.status = 'reversed')
      and not exists (select from payment p join refund f on f.payment_id = p.id
        where p.invoice_id = i.id and f.is_undocumented and f.failed_at is not null))`,
};

const queryOf = (isUsed: (sql: string) => boolean) =>
  Object.entries(violations)
    .filter(([, sql]) => isUsed(sql))
    .map(
      ([name, sql]) =>
        `select '${name}' as violation, to_jsonb(found) as row from (${sql.replaceAll('$tenant', 'tenant.id')}) found`,
    )
    .map((sql) => `select found.* from tenant, lateral (${sql}) found`)
    .join(' union all ');

const [query, ownQuery] = [queryOf(() => true), queryOf((sql) => !sql.includes('sandbox_'))];

/** Expects that invoices, payments, runs and subscriptions of a tenant agree with the sandbox's records. */
export const expectMoneyToAgree = (session: Session) => expectNone(session, query);

/** Expects that they agree with each other; another processor than the sandbox has charged them. */
export const expectOwnMoneyToAgree = (session: Session) => expectNone(session, ownQuery);

async function expectNone({ em, pricingModelId }: Session, sql: string) {
  const found = await em.execute(`with tenant as (select ?::text as id) ${sql} limit 20`, [
    pricingModelId,
  ]);
  expect(found).toEqual([]);
}

/** The books of all customers of a tenant agree. */
export async function expectBooksToAgree({ em, pricingModelId }: Session) {
  const sql = `select books.* from books_of(array(select id from customer where pricing_model_id = ?)) books
    where invoices - credit_notes - opening - prepaid - payments + refunds <> outstanding + balances`;
  expect(await em.execute(sql, [pricingModelId])).toEqual([]);
}

/** Sets the credit balance of a customer; the difference is the opening of its books. */
export const setCredit = ({ em }: Session, customerId: string, amount: number) =>
  em.execute(
    `with before as (select organization_id, credit_balance from customer where id = ?),
     opened as (
       insert into book_opening (customer_id, organization_id, currency, amount)
       select ?, organization_id, 'USD', ? - credit_balance from before
       on conflict (customer_id, currency) do update set amount = book_opening.amount + excluded.amount)
     update customer set credit_balance = ? where id = ?`,
    [customerId, customerId, amount, amount, customerId],
  );

/**
 * The net payments of a tenant's customers in each currency: by its own payments, and by the processor's records. A
 * refund that takes days has left the processor before it counts as refunded.
 */
async function moneyByCurrency({ em, pricingModelId }: Session) {
  const [sums] = await em.execute<{ payments: Sums; charges: Sums }[]>(
    `select (select jsonb_object_agg(currency, sum) from (
         select p.currency, sum(p.amount - p.refunded_amount - coalesce(pending.amount, 0)) from payment p
           left join lateral (select sum(amount) as amount from refund
             where payment_id = p.id and status in ('pending', 'requires_action')
               and exists (select from sandbox_refund s where s.idempotency_key = refund.id)) pending on true
         where p.pricing_model_id = ? and p.status in ('succeeded', 'refunded') and p.remittance_id is null
         group by 1) sums) as payments,
       (select jsonb_object_agg(currency, sum) from (
         select c.currency, sum(c.amount - c.refunded) from sandbox_charge c
           join payment_method m on m.id = c.payment_method_id
         where m.pricing_model_id = ? and c.status = 'succeeded' group by 1) sums) as charges`,
    [pricingModelId, pricingModelId],
  );
  return { payments: sums?.payments ?? {}, charges: sums?.charges ?? {} };
}

type Sums = Readonly<Record<string, number>> | null;

/** The processor has moved what the payments state, in each currency. */
export async function expectChargesToAgree(session: Session) {
  const { payments, charges } = await moneyByCurrency(session);
  expect(payments).toEqual(charges);
}

/** The same of a tenant with one currency. */
export async function moneyOf(session: Session) {
  const { payments, charges } = await moneyByCurrency(session);
  const sum = (sums: Sums) => Object.values(sums ?? {}).reduce((sum, amount) => sum + amount, 0);
  return { payments: sum(payments), charges: sum(charges) };
}
