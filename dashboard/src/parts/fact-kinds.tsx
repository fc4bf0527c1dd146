import type { Fact, SomeFacts } from './facts.tsx';
import { Facts } from './facts.tsx';
import { Section } from './section.tsx';
import { IdText } from './texts/id-text.tsx';
import { Instant } from './texts/instant.tsx';
import { Money } from './texts/money.tsx';
import { OutsideLink } from './texts/outside-link.tsx';
import { PageLink } from './texts/small-texts.tsx';

/** A fact that leads to another page. */
export const linkFact = (name: string, to: string, text: string): Fact => [
  name,
  <PageLink key={name} to={to}>
    {text}
  </PageLink>,
];

/** The customer of a record. */
export const customerFact = ({ id, name }: { readonly id: string; readonly name: string }): Fact =>
  linkFact('Customer', `/customers/${id}`, name);

/** The subscription of a record. */
export const subscriptionFact = ({
  id,
  name,
}: {
  readonly id: string;
  readonly name: string | null;
}): Fact => linkFact('Subscription', `/subscriptions/${id}`, name ?? id);

/** A fact that leads to another site; nothing without an address. */
export const outsideFact = (name: string, href: string | null, text: string): Fact | null =>
  href === null
    ? null
    : [
        name,
        <OutsideLink key={name} href={href}>
          {text}
        </OutsideLink>,
      ];

/** The day of an event, such as an end. */
export const timeFact = (name: string, at: number | null): Fact => [
  name,
  <Instant key={name} at={at} />,
];

/** An amount of money. */
export const moneyFact = (name: string, amount: number, currency: string): Fact => [
  name,
  <Money key={name} amount={amount} currency={currency} />,
];

/** The id of a record, which can be copied. */
export const idFact = (id: string): Fact => ['Id', <IdText key="id" id={id} />];

/** The section of a page that has the facts of its record. */
export const AboutSection = ({ facts }: { readonly facts: SomeFacts }) => (
  <Section title="About">
    <Facts facts={facts} />
  </Section>
);
