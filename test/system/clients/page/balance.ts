import {
  type BalanceFragment,
  FollowOtherDocument,
  FollowOwnBalanceDocument,
  FollowOwnUsageDocument,
  OrganizationOfPageDocument,
  OthersDocument,
  OwnBalanceDocument,
  type UsageBalanceFragment,
} from 'generated-client/graphql';
import { connect, settings } from './client.ts';
import { element, money, showError, showLines } from './show.ts';

const client = connect(settings);
const { customer, other } = settings;

const showBalance = ({ name, currency, creditBalance }: BalanceFragment) => {
  element('balance').textContent = `${name} ${money(creditBalance, currency ?? 'USD')}`;
};

const showUsage = (balances: readonly UsageBalanceFragment[]) =>
  showLines(
    'balances',
    balances.map(({ name, used, available }) => `${name}: ${used} used, ${available} available`),
  );

/** The balance of the customer to whom the token belongs, and its changes. */
async function showOwn() {
  const { data, error } = await client.query(OwnBalanceDocument, { customer }).toPromise();
  if (error) showError('balance', error);
  if (!data?.customer) return;
  showBalance(data.customer);
  showUsage(data.customer.usageMeterBalances);
  client.subscription(FollowOwnBalanceDocument, { customer }).subscribe(({ data, error }) => {
    if (error) showError('live balance', error);
    if (data) showBalance(data.customerChanged);
  });
  const subscription = data.customer.currentSubscription?.id;
  if (!subscription) return;
  client.subscription(FollowOwnUsageDocument, { subscription }).subscribe(({ data, error }) => {
    if (error) showError('live usage', error);
    if (data) showUsage(data.usageBalanceChanged.balances);
  });
}

/** Asks for what is not the customer’s, and shows every answer. */
async function askForMore() {
  const { data, error } = await client.query(OthersDocument, { customer: other }).toPromise();
  if (error) showError('others', error);
  const organization = await client.query(OrganizationOfPageDocument, {}).toPromise();
  if (organization.error) showError('organization', organization.error);
  client.subscription(FollowOtherDocument, { customer: other }).subscribe((result) => {
    if (result.error) showError('live other', result.error);
    if (result.data) showLines('more', [JSON.stringify(result.data)]);
  });
  const more = { others: data ?? null, organization: organization.data ?? null };
  element('more').textContent = JSON.stringify(more);
}

await showOwn();
await askForMore();
element('done').textContent = 'done';
