import { Anchor } from '@mantine/core';
import { AboutSection, idFact, linkFact, moneyFact, timeFact } from '../../parts/fact-kinds.tsx';
import type { Fact } from '../../parts/facts.tsx';
import { addressText } from '../../parts/texts/address-text.tsx';
import { numberText, wordsOf } from '../../parts/texts/formats.ts';
import { metadataFacts } from '../../parts/texts/metadata-facts.ts';
import { ruleText, taxIdName } from '../../parts/texts/tax-texts.ts';
import type { OneCustomerQuery } from './customer.generated.ts';
import { textFacts } from './customer-texts.tsx';
import { exemptions } from './exemptions.ts';

type Customer = NonNullable<OneCustomerQuery['customer']>;

/** The facts of a customer. */
export function About({ customer }: { readonly customer: Customer }) {
  const { currency, testClock, email, daysUntilDue, taxIds, taxExempt } = customer;
  const { consolidatesInvoices, mailsOff } = customer;
  const [user, domain] = email.split('@');
  const money = (name: string, amount: number): Fact =>
    currency ? moneyFact(name, amount, currency) : [name, numberText(amount)];
  const terms = daysUntilDue === null ? '' : `, due after ${daysUntilDue} days`;
  return (
    <AboutSection
      facts={[
        [
          'E-mail',
          <Anchor key="mail" href={`mailto:${email}`} size="sm">
            {user}@<wbr />
            {domain}
          </Anchor>,
        ],
        ['Your id', customer.externalId],
        money('Owes', customer.amountOwed),
        money('Credit balance', customer.creditBalance),
        money('Prepaid balance', customer.prepaidBalance),
        ['Currency', currency ?? 'That of its first purchase'],
        ['Payment', `${wordsOf(customer.collectionMethod)}${terms}`],
        consolidatesInvoices !== null && [
          'Invoices of one instant',
          consolidatesInvoices ? 'One document' : 'Apart',
        ],
        ['Tax', ruleText(customer) ?? 'That of the organization'],
        taxExempt !== 'none' && ['Exemption', exemptions[taxExempt]],
        ...taxIds.map(({ type, value }): Fact => [taxIdName(type), value]),
        ...textFacts(customer),
        mailsOff.length > 0 && ['Mails off', mailsOff.map(wordsOf).join(', ')],
        customer.billingAddress && ['Address', addressText(customer.billingAddress.address)],
        timeFact('Customer since', customer.createdAt),
        testClock &&
          linkFact('Test clock', `/test-clocks/${testClock.id}`, testClock.name ?? testClock.id),
        ...metadataFacts(customer.metadata),
        idFact(customer.id),
      ]}
    />
  );
}
