import { Alert, Stack, Text } from '@mantine/core';
import { EditButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useLive } from '../../live/use-live.ts';
import { Facts } from '../../parts/facts.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { Section } from '../../parts/section.tsx';
import { KindSwitches } from './kind-switches.tsx';
import { type MailKind, mailKinds } from './mail-kinds.ts';
import type { MailSettings } from './mail-settings.ts';
import { MailSettingsDialog } from './mail-settings-dialog.tsx';
import { MailTemplates } from './mail-templates.tsx';
import { MailSettingsDocument, UpdateMailSettingsDocument } from './mails.generated.ts';

const deliveries = {
  smtp: 'Mails are handed over to the mail server of the installation.',
  caught:
    'Test mode sends no mails. The page of a customer shows those that it would have received.',
  off: 'Mails of live mode are off: the installation has no mail server. Set SMTP_URL and MAIL_FROM.',
} as const;

/** The mails to customers: the way, the kinds, the sender and the templates. */
export function Mail() {
  const kinds = ['mail_settings', 'mail_template'];
  const result = useLive(MailSettingsDocument, {}, { kinds });
  return (
    <RecordOr result={result} record={result.data?.mailSettings} name="settings">
      {(settings) => (
        <Stack>
          <Alert role="note" color={settings.delivery === 'off' ? 'orange' : 'blue'}>
            {deliveries[settings.delivery]}
          </Alert>
          <Section
            title="Sender and days"
            actions={
              <EditButton
                does="updateMailSettings"
                dialog={(onClose) => <MailSettingsDialog settings={settings} onClose={onClose} />}
              />
            }
          >
            <Facts facts={factsOf(settings)} />
          </Section>
          <Section title="Kinds">
            <Kinds settings={settings} />
          </Section>
          <Section title="Templates">
            <MailTemplates templates={result.data?.mailTemplates ?? []} own={settings.language} />
          </Section>
        </Stack>
      )}
    </RecordOr>
  );
}

const factsOf = (settings: MailSettings) =>
  [
    ['Name', settings.fromName ?? 'That of the organization'],
    ['Address', settings.fromAddress ?? settings.usualFromAddress ?? 'None'],
    ['Replies to', settings.replyTo ?? 'The sender'],
    ['Usual language', settings.language],
    ['The end of a trial is announced', `${settings.trialEndingDays} days before`],
    ['A yearly charge is announced', `${settings.renewalDays} days before`],
    ['The expiry of a card is announced', `${settings.cardExpiringDays} days before`],
    ['The expiry of prepaid credit is announced', `${settings.prepaidExpiringDays} days before`],
    ['A link to the portal in a mail is valid', `${settings.portalLinkDays} days`],
  ] as const;

/** The kinds with their switches; each switch is a command. */
function Kinds({ settings }: { readonly settings: MailSettings }) {
  const isOn = (kind: MailKind) => settings.kinds.includes(kind);
  const next = (kind: MailKind) =>
    isOn(kind) ? settings.kinds.filter((each) => each !== kind) : [...settings.kinds, kind];
  return (
    <KindSwitches
      label="Kinds of mails"
      kinds={mailKinds.map(([kind]) => kind)}
      remarkOf={(kind) => mailKinds.find(([name]) => name === kind)?.[1]}
      isOn={isOn}
      does="updateMailSettings"
      dialog={({ kind, ...texts }) => (
        <CommandDialog
          {...texts}
          document={UpdateMailSettingsDocument}
          variables={{ version: settings.version, mailSettings: { kinds: next(kind) } }}
          done="The kinds are changed"
        >
          <Text size="sm">
            {isOn(kind)
              ? 'Mails of this kind that wait are dropped.'
              : 'Customers get mails of this kind about what happens from now on.'}
          </Text>
        </CommandDialog>
      )}
    />
  );
}
