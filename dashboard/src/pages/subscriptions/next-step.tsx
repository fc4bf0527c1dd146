import { Alert, Anchor, Group, Text } from '@mantine/core';
import { wordsOf } from '../../parts/texts/formats.ts';
import { PageLink } from '../../parts/texts/small-texts.tsx';
import type { Subscription } from './subscription.ts';

type Step = NonNullable<Subscription['nextStep']>;

const texts: Readonly<Record<Step, string>> = {
  add_payment_method:
    'The customer has no payment method. Without one the subscription cannot be paid.',
  replace_payment_method:
    'The last payment failed. Another payment method, or the retry of this one, pays the open invoice.',
  confirm_payment: 'The customer has to confirm the payment at its bank.',
  await_payment: 'A payment is being processed. Nothing has to be done until it is decided.',
  pay_invoice: 'An invoice was sent to the customer and is not paid.',
};

/** The missing step without which a subscription does not begin or does not stay, and the way to it. */
export function NextStep({ subscription }: { readonly subscription: Subscription }) {
  const { nextStep, paymentActionUrl, customer } = subscription;
  if (!nextStep) return null;
  const isMethod = nextStep === 'add_payment_method' || nextStep === 'replace_payment_method';
  return (
    <Alert color={nextStep === 'await_payment' ? 'blue' : 'orange'} title={wordsOf(nextStep)}>
      <Group gap="md">
        <Text size="sm">{texts[nextStep]}</Text>
        {isMethod && <PageLink to={`/customers/${customer.id}`}>Payment methods</PageLink>}
        {nextStep === 'pay_invoice' && <PageLink to="?tab=invoices">Invoices</PageLink>}
        {paymentActionUrl && (
          <Anchor href={paymentActionUrl} target="_blank" rel="noreferrer" size="sm">
            The page of the bank
          </Anchor>
        )}
      </Group>
    </Alert>
  );
}
