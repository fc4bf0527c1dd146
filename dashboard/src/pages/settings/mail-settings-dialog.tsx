import { Group, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import type { MailSettings } from './mail.tsx';
import { UpdateMailSettingsDocument } from './mails.generated.ts';

interface Props {
  readonly settings: MailSettings;
  readonly onClose: () => void;
}

/** The sender, the usual language, and the days before dates. */
export function MailSettingsDialog({ settings, onClose }: Props) {
  const [fromName, setFromName] = useState(settings.fromName ?? '');
  const [fromAddress, setFromAddress] = useState(settings.fromAddress ?? '');
  const [replyTo, setReplyTo] = useState(settings.replyTo ?? '');
  const [language, setLanguage] = useState(settings.language);
  const [trialEndingDays, setTrialEndingDays] = useState<number | string>(settings.trialEndingDays);
  const [renewalDays, setRenewalDays] = useState<number | string>(settings.renewalDays);
  const [cardDays, setCardDays] = useState<number | string>(settings.cardExpiringDays);
  const days = [trialEndingDays, renewalDays, cardDays];
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
                trialEndingDays: Number(trialEndingDays),
                renewalDays: Number(renewalDays),
                cardExpiringDays: Number(cardDays),
              },
            }
          : undefined
      }
      label="Save"
      done="The settings are changed"
    >
      <TextInput
        label="Name of the sender"
        description="The name of the organization where it is empty"
        dir="auto"
        value={fromName}
        onChange={({ currentTarget }) => setFromName(currentTarget.value)}
      />
      <TextInput
        label="Address of the sender"
        placeholder={settings.usualFromAddress ?? undefined}
        value={fromAddress}
        onChange={({ currentTarget }) => setFromAddress(currentTarget.value)}
      />
      <TextInput
        label="Address for replies"
        value={replyTo}
        onChange={({ currentTarget }) => setReplyTo(currentTarget.value)}
      />
      <TextInput
        label="Usual language"
        description="Such as en, de or pt-BR"
        value={language}
        onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
      />
      <Group grow align="flex-end">
        <NumberInput
          label="Days before a trial ends"
          min={1}
          max={90}
          allowDecimal={false}
          value={trialEndingDays}
          onChange={setTrialEndingDays}
        />
        <NumberInput
          label="Before a yearly charge"
          min={1}
          max={90}
          allowDecimal={false}
          value={renewalDays}
          onChange={setRenewalDays}
        />
        <NumberInput
          label="Before a card expires"
          min={1}
          max={90}
          allowDecimal={false}
          value={cardDays}
          onChange={setCardDays}
        />
      </Group>
    </CommandDialog>
  );
}
