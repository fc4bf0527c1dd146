import { Group, Stack, Text } from '@mantine/core';
import { SectionButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { RowConfirm } from '../../commands/confirm.tsx';
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

const commands = {
  setDefaultPaymentMethod: {
    does: 'setDefaultPaymentMethod',
    document: SetDefaultPaymentMethodDocument,
    title: 'Make it the default',
    label: 'Make default',
    done: 'The default payment method is changed',
  },
  detachPaymentMethod: {
    does: 'detachPaymentMethod',
    document: DetachPaymentMethodDocument,
    title: 'Detach the payment method',
    label: 'Detach',
    color: 'red',
    isDangerous: true,
    done: 'The payment method is detached',
  },
} as const;

/** The payment methods of a customer. */
export function PaymentMethods({ methods, customerId }: Props) {
  const live = isLive(useSession().access);
  const attached = methods.filter(({ detachedAt }) => !detachedAt);
  return (
    <Section
      title="Payment methods"
      actions={
        !live && (
          <SectionButton
            does="createPaymentMethod"
            dialog={(onClose) => <TestCardDialog {...{ customerId, onClose }} />}
          >
            Add a test card
          </SectionButton>
        )
      }
    >
      <Stack gap="xs">
        {attached.length === 0 && <Dimmed>None</Dimmed>}
        {attached.map((method) => (
          <MethodRow key={method.id} method={method} />
        ))}
      </Stack>
    </Section>
  );
}

function MethodRow({ method }: { readonly method: Method }) {
  const { id } = method;
  return (
    <Group justify="space-between">
      <Group gap="xs">
        <Text size="sm">{methodName(method)}</Text>
        {method.default && <Mark>Default</Mark>}
        {method.refusedAt && <Mark color="red">Refused</Mark>}
      </Group>
      <Group gap={4} wrap="nowrap">
        {!method.default && (
          <RowConfirm command={commands.setDefaultPaymentMethod} variables={{ id }} />
        )}
        <RowConfirm command={commands.detachPaymentMethod} variables={{ id }} />
      </Group>
    </Group>
  );
}

const tokens = {
  sandbox_success: 'Pays',
  sandbox_decline_insufficient_funds: 'Is declined: insufficient funds',
  sandbox_decline_then_success: 'Is declined once, then pays',
  sandbox_requires_action: 'Asks the customer to confirm',
  sandbox_dispute_lost: 'Pays, and is disputed',
} as const;

interface CardProps {
  readonly customerId: string;
  readonly onClose: () => void;
}

function TestCardDialog({ customerId, onClose }: CardProps) {
  const token = useField('sandbox_success');
  return (
    <CommandDialog
      title="Add a test card"
      onClose={onClose}
      document={AddPaymentMethodDocument}
      variables={{
        paymentMethod: { customerId, type: 'card', token: token.value, default: true },
      }}
      label="Add"
      done="The card is added"
    >
      <Choice label="How it behaves" data={tokens} {...token} />
    </CommandDialog>
  );
}
