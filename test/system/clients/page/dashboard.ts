import {
  type CustomerRowFragment,
  FindCustomersDocument,
  FollowCustomersDocument,
  FollowOverdueInvoicesDocument,
  FollowUsageDocument,
  type InvoiceRowFragment,
  OverdueInvoicesDocument,
  UsageDocument,
} from 'generated-client/graphql';
import { drawUsage } from './chart.ts';
import { connect, settings } from './client.ts';
import { applied, element, money, showError, showLines } from './show.ts';

const client = connect(settings);
const day = 86_400_000;

let leaveCustomers = () => {};

/** Shows the customers whose name, email address or id has this part, and follows them. */
async function find(search: string) {
  leaveCustomers();
  const found = await client.query(FindCustomersDocument, { search }).toPromise();
  if (found.error) return showError('customers', found.error);
  let rows: readonly CustomerRowFragment[] = [];
  const show = (next: readonly CustomerRowFragment[]) => {
    rows = next.toSorted((one, other) => one.name.localeCompare(other.name));
    showLines(
      'customers',
      rows.map(({ name }) => name),
    );
  };
  show(found.data?.customers.nodes ?? []);
  leaveCustomers = client
    .subscription(FollowCustomersDocument, { search })
    .subscribe(({ data, error }) => {
      if (error) showError('live customers', error);
      if (data) show(applied(rows, data.customers));
    }).unsubscribe;
}

/** The overdue invoices of the month, the largest first. */
async function showOverdue() {
  const month = new Date(settings.now);
  const from = Date.UTC(month.getUTCFullYear(), month.getUTCMonth());
  const to = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
  const where = { overdue: true, dueDate: { from, to } };
  const found = await client.query(OverdueInvoicesDocument, { where }).toPromise();
  if (found.error) return showError('invoices', found.error);
  let rows: readonly InvoiceRowFragment[] = [];
  const show = (next: readonly InvoiceRowFragment[]) => {
    rows = next.toSorted((one, other) => other.total - one.total);
    showLines(
      'overdue',
      rows.map(({ customer, total, currency }) => `${customer.name} ${money(total, currency)}`),
    );
  };
  show(found.data?.invoices.nodes ?? []);
  client.subscription(FollowOverdueInvoicesDocument, { where }).subscribe(({ data, error }) => {
    if (error) showError('live invoices', error);
    if (data) show(applied(rows, data.invoices));
  });
}

/** 30 days of usage by the property `model`. */
async function showUsage() {
  const { usageMeter, now } = settings;
  const to = Math.ceil(now / day) * day;
  const variables = { usageMeter, from: to - 30 * day, to, property: 'model' };
  const found = await client.query(UsageDocument, variables).toPromise();
  if (found.error) return showError('usage', found.error);
  drawUsage(found.data?.usageOverTime ?? []);
  client.subscription(FollowUsageDocument, variables).subscribe(({ data, error }) => {
    if (error) showError('live usage', error);
    if (data) drawUsage(data.usageOverTimeChanged);
  });
}

const search = element<HTMLInputElement>('search');
search.addEventListener('input', () => void find(search.value));
await Promise.all([showOverdue(), showUsage()]);
