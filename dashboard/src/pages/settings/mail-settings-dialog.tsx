import { Group, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { MailSettings } from './mail.tsx';
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
  const [trialDays, setTrialDays] = useState<number | string>(settings.trialEndingDays);
  const [renewalDays, setRenewalDays] = useState<number | string>(settings.renewalDays);
  const [cardDays, setCardDays] = useState<number | string>(settings.cardExpiringDays);
  const [prepaidDays, setPrepaidDays] = useState<number | string>(settings.prepaidExpiringDays);
  const [linkDays, setLinkDays] = useState<number | string>(settings.portalLinkDays);
  const days = [linkDays, trialDays, renewalDays, cardDays, prepaidDays];
  const isComplete = language.trim() !== '' && days.every((each) => each !== '');
  return (
    <CommandDialog
      title="Edit the sender and the days"
      isOpen
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
                trialEndingDays: Number(trialDays),
                renewalDays: Number(renewalDays),
                cardExpiringDays: Number(cardDays),
                prepaidExpiringDays: Number(prepaidDays),
                portalLinkDays: Number(linkDays),
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
      <Group grow align="flex-end">
        <DaysInput label="Days before a trial ends" value={trialDays} onChange={setTrialDays} />
        <DaysInput label="Before a yearly charge" value={renewalDays} onChange={setRenewalDays} />
        <DaysInput label="Before a card expires" value={cardDays} onChange={setCardDays} />
        <DaysInput label="Before credit expires" value={prepaidDays} onChange={setPrepaidDays} />
      </Group>
      <DaysInput
        label="Days for which links are valid"
        description="Links to the portal in mails that are sent from now on"
        value={linkDays}
        onChange={setLinkDays}
      />
    </CommandDialog>
  );
}

interface DaysProps {
  readonly label: string;
  readonly description?: string;
  readonly value: number | string;
  readonly onChange: (days: number | string) => void;
}

const DaysInput = (props: DaysProps) => (
  <NumberInput min={1} max={90} allowDecimal={false} {...props} />
);
