import { Text } from '@mantine/core';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { useLive } from '../../../live/use-live.ts';
import { Failure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { KindSwitches } from '../../settings/kind-switches.tsx';
import { type MailKind, mailKinds, optionalKinds } from '../../settings/mail-kinds.ts';
import { MailSwitchesDocument, SwitchMailsDocument } from './mails.generated.ts';

const kinds = ['customer', 'mail_settings'];
const occasions = new Map(mailKinds);

/** The kinds of mails that a customer may switch off, with their switches; each switch is a command. */
export function MailSwitches({ customerId }: { readonly customerId: string }) {
  const { data, error, reload } = useLive(
    MailSwitchesDocument,
    { id: customerId },
    { kinds, customerId },
  );
  const customer = data?.customer;
  const isOff = (kind: MailKind) => customer?.mailsOff.includes(kind) ?? false;
  const isSent = (kind: MailKind) => data?.mailSettings?.kinds.includes(kind) ?? true;
  return (
    <Section title="Optional mails">
      {!data && <Failure error={error} onRetry={reload} />}
      {customer && (
        <KindSwitches
          label="Optional mails"
          kinds={optionalKinds}
          remarkOf={(kind) =>
            `${occasions.get(kind)}${isSent(kind) ? '' : '. The settings have this kind off'}`
          }
          isOn={(kind) => !isOff(kind)}
          does="switchMails"
          isDisabled={customer.erasedAt !== null}
          dialog={({ kind, ...texts }) => (
            <CommandDialog
              {...texts}
              document={SwitchMailsDocument}
              variables={{ customerId, [isOff(kind) ? 'on' : 'off']: [kind] }}
              done="The switch is changed"
            >
              <Text size="sm">
                {isOff(kind)
                  ? 'The customer gets mails of this kind again. Perhaps it has switched them off itself.'
                  : 'Mails of this kind to the customer that wait are dropped.'}
              </Text>
            </CommandDialog>
          )}
        />
      )}
    </Section>
  );
}
