import { Anchor, Text } from '@mantine/core';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { numberText, wordsOf } from '../../parts/texts/formats.ts';
import { IdText } from '../../parts/texts/id-text.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { metadataFacts } from '../../parts/texts/metadata-facts.ts';
import { Money } from '../../parts/texts/money.tsx';
import { PageLink } from '../../parts/texts/small-texts.tsx';
import { countryName, ruleText, taxIdName } from '../../parts/texts/tax-texts.ts';
import type { OneCustomerQuery } from './customer.generated.ts';
import { textFacts } from './customer-texts.tsx';
import { exemptions } from './exemptions.ts';

type Customer = NonNullable<OneCustomerQuery['customer']>;
type Fact = readonly [string, React.ReactNode];

/** The facts of a customer. */
export function About({ customer }: { readonly customer: Customer }) {
  const { currency, testClock, email, daysUntilDue, taxIds, taxExempt } = customer;
  const { consolidatesInvoices, mailsOff } = customer;
  const [user, domain] = email.split('@');
  const money = (amount: number) =>
    currency ? <Money amount={amount} currency={currency} /> : numberText(amount);
  const terms = daysUntilDue === null ? '' : `, due after ${daysUntilDue} days`;
  const facts: Fact[] = [
    [
      'E-mail',
      <Anchor key="mail" href={`mailto:${email}`} size="sm">
        {user}@<wbr />
        {domain}
      </Anchor>,
    ],
    ['Your id', customer.externalId],
    ['Owes', money(customer.amountOwed)],
    ['Credit balance', money(customer.creditBalance)],
    ['Prepaid balance', money(customer.prepaidBalance)],
    ['Currency', currency ?? 'That of its first purchase'],
    ['Payment', `${wordsOf(customer.collectionMethod)}${terms}`],
    ...(consolidatesInvoices === null
      ? []
      : ([['Invoices of one instant', consolidatesInvoices ? 'One document' : 'Apart']] as const)),
    ['Tax', ruleText(customer) ?? 'That of the organization'],
    ...(taxExempt === 'none'
      ? []
      : ([['Exemption', exemptions.find(({ value }) => value === taxExempt)?.label]] as const)),
    ...taxIds.map(({ type, value }): Fact => [taxIdName(type), value]),
    ...textFacts(customer),
    ...(mailsOff.length > 0 ? ([['Mails off', mailsOff.map(wordsOf).join(', ')]] as const) : []),
    ...addressFacts(customer),
    ['Customer since', <Instant key="since" at={customer.createdAt} />],
    ...(testClock ? [clockFact(testClock)] : []),
    ...metadataFacts(customer.metadata),
    ['Id', <IdText key="id" id={customer.id} />],
  ];
  return (
    <Section title="About">
      <Facts facts={facts} />
    </Section>
  );
}

function addressFacts({ billingAddress }: Customer): Fact[] {
  if (!billingAddress) return [];
  const { line1, line2, postal_code, city, state, country } = billingAddress.address;
  const place = [postal_code, city].filter(Boolean).join(' ');
  const lines = [line1, line2, place, state, country && countryName(country)].filter(Boolean);
  return [
    [
      'Address',
      <Text key="address" span size="sm" style={{ whiteSpace: 'pre-line' }}>
        {lines.join('\n')}
      </Text>,
    ],
  ];
}

const clockFact = ({ id, name }: NonNullable<Customer['testClock']>): Fact => [
  'Test clock',
  <PageLink key="clock" to={`/test-clocks/${id}`}>
    {name ?? id}
  </PageLink>,
];
