import { SimpleGrid } from '@mantine/core';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { NumberField, type TypedFieldProps } from '../../parts/fields/number-field.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import type { MailSettings } from './mail-settings.ts';
import { UpdateMailSettingsDocument } from './mails.generated.ts';

interface Props {
  readonly settings: MailSettings;
  readonly onClose: () => void;
}

/** The sender, the usual language, the days before dates, and the life of links. */
export function MailSettingsDialog({ settings, onClose }: Props) {
  const fromName = useField(settings.fromName ?? '');
  const fromAddress = useField(settings.fromAddress ?? '');
  const replyTo = useField(settings.replyTo ?? '');
  const language = useField(settings.language);
  const trialDays = useField<number | undefined>(settings.trialEndingDays);
  const renewalDays = useField<number | undefined>(settings.renewalDays);
  const cardDays = useField<number | undefined>(settings.cardExpiringDays);
  const prepaidDays = useField<number | undefined>(settings.prepaidExpiringDays);
  const linkDays = useField<number | undefined>(settings.portalLinkDays);
  const days = [
    linkDays.value,
    trialDays.value,
    renewalDays.value,
    cardDays.value,
    prepaidDays.value,
  ];
  const isComplete = language.value.trim() !== '' && days.every((each) => each !== undefined);
  const mailSettings = isComplete && {
    fromName: fromName.value.trim() || null,
    fromAddress: fromAddress.value.trim() || null,
    replyTo: replyTo.value.trim() || null,
    language: language.value.trim(),
    trialEndingDays: trialDays.value,
    renewalDays: renewalDays.value,
    cardExpiringDays: cardDays.value,
    prepaidExpiringDays: prepaidDays.value,
    portalLinkDays: linkDays.value,
  };
  return (
    <CommandDialog
      title="Edit the sender and the days"
      onClose={onClose}
      document={UpdateMailSettingsDocument}
      variables={mailSettings && { version: settings.version, mailSettings }}
      label="Save"
      done="The settings are changed"
    >
      <TextField
        label="Name of the sender"
        description="The name of the organization where it is empty"
        dir="auto"
        {...fromName}
      />
      <TextField
        label="Address of the sender"
        placeholder={settings.usualFromAddress ?? undefined}
        {...fromAddress}
      />
      <TextField label="Address for replies" {...replyTo} />
      <TextField label="Usual language" description="Such as en, de or pt-BR" {...language} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DaysInput label="Days before a trial ends" {...trialDays} />
        <DaysInput label="Before a yearly charge" {...renewalDays} />
        <DaysInput label="Before a card expires" {...cardDays} />
        <DaysInput label="Before credit expires" {...prepaidDays} />
      </SimpleGrid>
      <DaysInput
        label="Days for which links are valid"
        description="Links to the portal in mails that are sent from now on"
        {...linkDays}
      />
    </CommandDialog>
  );
}

const DaysInput = (props: TypedFieldProps<number | undefined>) => (
  <NumberField min={1} max={90} {...props} />
);
