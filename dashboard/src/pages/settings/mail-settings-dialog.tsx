import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { NumberField, type TypedFieldProps } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import type { MailSettings } from './mail-settings.ts';
import { UpdateMailSettingsDocument } from './mails.generated.ts';

interface Props {
  readonly settings: MailSettings;
  readonly onClose: () => void;
}

/** The sender, the usual language, the days before dates, and the life of links. */
export function MailSettingsDialog({ settings, onClose }: Props) {
  const [fromName, setFromName] = useState(settings.fromName ?? '');
  const [fromAddress, setFromAddress] = useState(settings.fromAddress ?? '');
  const [replyTo, setReplyTo] = useState(settings.replyTo ?? '');
  const [language, setLanguage] = useState(settings.language);
  const [trialDays, setTrialDays] = useState<number | undefined>(settings.trialEndingDays);
  const [renewalDays, setRenewalDays] = useState<number | undefined>(settings.renewalDays);
  const [cardDays, setCardDays] = useState<number | undefined>(settings.cardExpiringDays);
  const [prepaidDays, setPrepaidDays] = useState<number | undefined>(settings.prepaidExpiringDays);
  const [linkDays, setLinkDays] = useState<number | undefined>(settings.portalLinkDays);
  const days = [linkDays, trialDays, renewalDays, cardDays, prepaidDays];
  const isComplete = language.trim() !== '' && days.every((each) => each !== undefined);
  return (
    <CommandDialog
      title="Edit the sender and the days"
      onClose={onClose}
      document={UpdateMailSettingsDocument}
      variables={
        isComplete
          ? {
              version: settings.version,
              mailSettings: {
                fromName: fromName.trim() || null,
                fromAddress: fromAddress.trim() || null,
                replyTo: replyTo.trim() || null,
                language: language.trim(),
                trialEndingDays: trialDays,
                renewalDays,
                cardExpiringDays: cardDays,
                prepaidExpiringDays: prepaidDays,
                portalLinkDays: linkDays,
              },
            }
          : undefined
      }
      label="Save"
      done="The settings are changed"
    >
      <TextField
        label="Name of the sender"
        description="The name of the organization where it is empty"
        dir="auto"
        value={fromName}
        onChange={setFromName}
      />
      <TextField
        label="Address of the sender"
        placeholder={settings.usualFromAddress ?? undefined}
        value={fromAddress}
        onChange={setFromAddress}
      />
      <TextField label="Address for replies" value={replyTo} onChange={setReplyTo} />
      <TextField
        label="Usual language"
        description="Such as en, de or pt-BR"
        value={language}
        onChange={setLanguage}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DaysInput label="Days before a trial ends" value={trialDays} onChange={setTrialDays} />
        <DaysInput label="Before a yearly charge" value={renewalDays} onChange={setRenewalDays} />
        <DaysInput label="Before a card expires" value={cardDays} onChange={setCardDays} />
        <DaysInput label="Before credit expires" value={prepaidDays} onChange={setPrepaidDays} />
      </SimpleGrid>
      <DaysInput
        label="Days for which links are valid"
        description="Links to the portal in mails that are sent from now on"
        value={linkDays}
        onChange={setLinkDays}
      />
    </CommandDialog>
  );
}

const DaysInput = (props: TypedFieldProps<number | undefined>) => (
  <NumberField min={1} max={90} {...props} />
);
