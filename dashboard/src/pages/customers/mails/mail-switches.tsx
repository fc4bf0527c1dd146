import { Badge, Group, Table, Text } from '@mantine/core';
import { RowButton } from '../../../commands/command-button.tsx';
import { CommandDialog } from '../../../commands/command-dialog.tsx';
import { useLive } from '../../../live/use-live.ts';
import { Failure } from '../../../parts/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { wordsOf } from '../../../parts/texts/formats.ts';
import { Remark } from '../../../parts/texts/small-texts.tsx';
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
        <Table aria-label="Optional mails" fz="sm">
          <Table.Tbody>
            {optionalKinds.map((kind) => (
              <Table.Tr key={kind}>
                <Table.Td>
                  <Text size="sm" fw={500}>
                    {wordsOf(kind)}
                  </Text>
                  <Remark>
                    {occasions.get(kind)}
                    {!isSent(kind) && '. The settings have this kind off'}
                  </Remark>
                </Table.Td>
                <Table.Td>
                  <Group justify="flex-end" gap="xs" wrap="nowrap">
                    <Badge variant="light" color={isOff(kind) ? 'gray' : 'teal'} tt="none">
                      {isOff(kind) ? 'Off' : 'On'}
                    </Badge>
                    <RowButton
                      does="switchMails"
                      disabled={customer.erasedAt !== null}
                      aria-label={`${isOff(kind) ? 'Switch on' : 'Switch off'}: ${wordsOf(kind)}`}
                      dialog={(onClose) => (
                        <CommandDialog
                          title={`${wordsOf(kind)}: switch ${isOff(kind) ? 'on' : 'off'}`}
                          onClose={onClose}
                          document={SwitchMailsDocument}
                          variables={{ customerId, [isOff(kind) ? 'on' : 'off']: [kind] }}
                          label={isOff(kind) ? 'Switch on' : 'Switch off'}
                          done="The switch is changed"
                        >
                          <Text size="sm">
                            {isOff(kind)
                              ? 'The customer gets mails of this kind again. Perhaps it has switched them off itself.'
                              : 'Mails of this kind to the customer that wait are dropped.'}
                          </Text>
                        </CommandDialog>
                      )}
                    >
                      {isOff(kind) ? 'Switch on' : 'Switch off'}
                    </RowButton>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}
