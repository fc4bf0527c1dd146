import { Group, Stack } from '@mantine/core';
import { CommandButton, RowButton } from '../../commands/command-button.tsx';
import { RowConfirm } from '../../commands/confirm.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { type RowColumn, RowTable } from '../../parts/lists/row-table.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { type MailKind, mailKinds } from './mail-kinds.ts';
import { DeleteMailTemplateDocument, type MailSettingsQuery } from './mails.generated.ts';
import { TemplateDialog } from './template-dialog.tsx';

type Template = MailSettingsQuery['mailTemplates'][number];

interface Props {
  readonly templates: readonly Template[];
  /** The usual language of the organization. */
  readonly own: string;
}

const deleteMailTemplate = {
  does: 'deleteMailTemplate',
  document: DeleteMailTemplateDocument,
  title: 'Delete the template',
  label: 'Delete',
  color: 'red',
  isDangerous: true,
  done: 'The texts of the service apply again',
} as const;

/** The templates of the organization; kinds without one have the texts of the service. */
export function MailTemplates({ templates, own }: Props) {
  const kind = useField<MailKind>('invoice');
  const language = useField(own);
  return (
    <Stack>
      <Group align="flex-end">
        <Choice
          label="Kind"
          data={mailKinds.map(([value]) => ({ value, label: wordsOf(value) }))}
          {...kind}
        />
        <TextField label="Language" w={90} {...language} />
        <CommandButton
          does="saveMailTemplate"
          variant="default"
          disabled={!/^[A-Za-z]{2,3}(-[A-Za-z]{2})?$/.test(language.value)}
          dialog={(onClose) => (
            <TemplateDialog
              named={{ kind: kind.value, language: language.value }}
              onClose={onClose}
            />
          )}
        >
          Edit the template
        </CommandButton>
      </Group>
      {templates.length === 0 ? (
        <Empty title="No templates of your own">
          All mails have the texts of the service, in English and German.
        </Empty>
      ) : (
        <RowTable label="Templates" rows={templates} columns={columns} />
      )}
    </Stack>
  );
}

const columns: readonly RowColumn<Template>[] = [
  { name: 'Kind', cell: ({ kind }) => wordsOf(kind) },
  { name: 'Language', cell: ({ language }) => language },
  {
    name: 'Changed',
    from: 'sm',
    cell: ({ updatedAt }) => (
      <Dimmed>
        <Instant at={updatedAt} isRelative />
      </Dimmed>
    ),
  },
  {
    name: 'Commands',
    cell: ({ kind, language }) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <RowButton
          does="saveMailTemplate"
          dialog={(onClose) => <TemplateDialog named={{ kind, language }} onClose={onClose} />}
        >
          Edit
        </RowButton>
        <RowConfirm command={deleteMailTemplate} variables={{ kind, language }} />
      </Group>
    ),
  },
];
