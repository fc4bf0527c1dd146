import { Group, Stack, Table } from '@mantine/core';
import { useState } from 'react';
import { CommandButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { Empty } from '../../parts/lists/empty.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Instant } from '../../parts/texts/instant.tsx';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { type MailKind, mailKinds } from './mail-kinds.ts';
import { DeleteMailTemplateDocument, type MailSettingsQuery } from './mails.generated.ts';
import { TemplateDialog } from './template-dialog.tsx';

type Template = MailSettingsQuery['mailTemplates'][number];
type Named = Pick<Template, 'kind' | 'language'>;

interface Props {
  readonly templates: readonly Template[];
  /** The usual language of the organization. */
  readonly own: string;
}

/** The templates of the organization; kinds without one have the texts of the service. */
export function MailTemplates({ templates, own }: Props) {
  const kind = useField<MailKind>('invoice');
  const language = useField(own);
  const [opened, setOpened] = useState<Named>();
  const [deleted, setDeleted] = useState<Named>();
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
          onClick={() => setOpened({ kind: kind.value, language: language.value })}
        >
          Edit the template
        </CommandButton>
      </Group>
      {templates.length === 0 ? (
        <Empty title="No templates of your own">
          All mails have the texts of the service, in English and German.
        </Empty>
      ) : (
        <Table aria-label="Templates" fz="sm">
          <Table.Tbody>
            {templates.map((template) => (
              <Table.Tr key={template.id}>
                <Table.Td>{wordsOf(template.kind)}</Table.Td>
                <Table.Td>{template.language}</Table.Td>
                <Table.Td visibleFrom="sm">
                  <Dimmed>
                    <Instant at={template.updatedAt} isRelative />
                  </Dimmed>
                </Table.Td>
                <Table.Td>
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    <CommandButton
                      does="saveMailTemplate"
                      size="compact-xs"
                      variant="subtle"
                      onClick={() => setOpened(template)}
                    >
                      Edit
                    </CommandButton>
                    <CommandButton
                      does="deleteMailTemplate"
                      size="compact-xs"
                      variant="subtle"
                      color="red"
                      onClick={() => setDeleted(template)}
                    >
                      Delete
                    </CommandButton>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {opened && <TemplateDialog named={opened} onClose={() => setOpened(undefined)} />}
      <CommandDialog
        title="Delete the template"
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        document={DeleteMailTemplateDocument}
        variables={deleted && { kind: deleted.kind, language: deleted.language }}
        label="Delete"
        isDangerous
        done="The texts of the service apply again"
      />
    </Stack>
  );
}
