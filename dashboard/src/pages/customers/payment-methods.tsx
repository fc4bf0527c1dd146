import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { Section } from '../../parts/section.tsx';
import { methodName } from '../../parts/texts/method-name.ts';
import { Dimmed, Mark } from '../../parts/texts/small-texts.tsx';
import { isLive } from '../../session/access.ts';
import { useSession } from '../../session/session.tsx';
import type { OneCustomerQuery } from './customer.generated.ts';
import {
  AddPaymentMethodDocument,
  DetachPaymentMethodDocument,
  SetDefaultPaymentMethodDocument,
} from './payment-methods.generated.ts';

type Method = NonNullable<OneCustomerQuery['customer']>['paymentMethodsPage']['nodes'][number];

interface Props {
  readonly methods: readonly Method[];
  readonly customerId: string;
}

/** The payment methods of a customer. */
export function PaymentMethods({ methods, customerId }: Props) {
  const live = isLive(useSession().access);
  const [isAdding, setAdding] = useState(false);
  const [chosen, setChosen] = useState<{ id: string; as: 'default' | 'detach' }>();
  const attached = methods.filter(({ detachedAt }) => !detachedAt);
  return (
    <Section
      title="Payment methods"
      actions={
        !live && (
          <CommandButton
            does="createPaymentMethod"
            size="compact-xs"
            variant="default"
            onClick={() => setAdding(true)}
          >
            Add a test card
          </CommandButton>
        )
      }
    >
      <Stack gap="xs">
        {attached.length === 0 && <Dimmed>None</Dimmed>}
        {attached.map((method) => (
          <Group key={method.id} justify="space-between">
            <Group gap="xs">
              <Text size="sm">{methodName(method)}</Text>
              {method.default && <Mark>Default</Mark>}
              {method.refusedAt && <Mark color="red">Refused</Mark>}
            </Group>
            <Group gap={4} wrap="nowrap">
              {!method.default && (
                <CommandButton
                  does="setDefaultPaymentMethod"
                  size="compact-xs"
                  variant="subtle"
                  onClick={() => setChosen({ id: method.id, as: 'default' })}
                >
                  Make default
                </CommandButton>
              )}
              <CommandButton
                does="detachPaymentMethod"
                size="compact-xs"
                variant="subtle"
                color="red"
                onClick={() => setChosen({ id: method.id, as: 'detach' })}
              >
                Detach
              </CommandButton>
            </Group>
          </Group>
        ))}
      </Stack>
      <TestCardDialog isOpen={isAdding} onClose={() => setAdding(false)} customerId={customerId} />
      <CommandDialog
        title="Make it the default"
        isOpen={chosen?.as === 'default'}
        onClose={() => setChosen(undefined)}
        document={SetDefaultPaymentMethodDocument}
        variables={chosen && { id: chosen.id }}
        label="Make default"
        done="The default payment method is changed"
      />
      <CommandDialog
        title="Detach the payment method"
        isOpen={chosen?.as === 'detach'}
        onClose={() => setChosen(undefined)}
        document={DetachPaymentMethodDocument}
        variables={chosen && { id: chosen.id }}
        label="Detach"
        isDangerous
        done="The payment method is detached"
      />
    </Section>
  );
}

/** The kind of a payment method, with the last digits of a card. */
const tokens = [
  ['sandbox_success', 'Pays'],
  ['sandbox_decline_insufficient_funds', 'Is declined: insufficient funds'],
  ['sandbox_decline_then_success', 'Is declined once, then pays'],
  ['sandbox_requires_action', 'Asks the customer to confirm'],
  ['sandbox_dispute_lost', 'Pays, and is disputed'],
] as const;

function TestCardDialog({
  isOpen,
  onClose,
  customerId,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly customerId: string;
}) {
  const token = useField<string | null>('sandbox_success');
  const paymentMethod = token.value && {
    customerId,
    type: 'card' as const,
    token: token.value,
    default: true,
  };
  return (
    <CommandDialog
      title="Add a test card"
      isOpen={isOpen}
      onClose={onClose}
      document={AddPaymentMethodDocument}
      variables={paymentMethod ? { paymentMethod } : undefined}
      label="Add"
      done="The card is added"
    >
      <Choice
        label="How it behaves"
        data={tokens.map(([value, label]) => ({ value, label }))}
        {...token}
      />
    </CommandDialog>
  );
}
