import { Code, Loader, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { usePreview } from '../../commands/use-preview.ts';
import { useLive } from '../../live/use-live.ts';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { MailFrame } from '../../parts/mail-frame.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { Remark } from '../../parts/texts/small-texts.tsx';
import type { MailKind } from './mail-kinds.ts';
import {
  MailTextsDocument,
  type MailTextsQuery,
  PreviewMailDocument,
  SaveMailTemplateDocument,
} from './mails.generated.ts';

interface Props {
  readonly named: { readonly kind: MailKind; readonly language: string };
  readonly onClose: () => void;
}

type Texts = NonNullable<MailTextsQuery['mailTexts']>;

/** The editor of a template, with its mail as a customer would receive it. */
export function TemplateDialog({ named, onClose }: Props) {
  const { data } = useLive(MailTextsDocument, named);
  if (!data?.mailTexts) return <Loader size="sm" aria-label="Reading" />;
  return <Editor key={named.language} named={named} texts={data.mailTexts} onClose={onClose} />;
}

function Editor({ named, texts, onClose }: Props & { readonly texts: Texts }) {
  // Texts of another language are a start, and no version of this template.
  const stored = texts.template?.language === named.language ? texts.template : null;
  const subject = useField(texts.subject);
  const [mjml, setMjml] = useState(texts.mjml);
  const [text, setText] = useState(stored?.text ?? '');
  const isComplete = subject.value.trim() !== '' && mjml.trim() !== '';
  const template = { subject: subject.value, mjml, text: text.trim() || null };
  const preview = usePreview(PreviewMailDocument, isComplete ? { ...named, template } : undefined);
  const mail = preview.data?.previewMail?.mailPreview;
  return (
    <CommandDialog
      title={`${wordsOf(named.kind)} in ${named.language}`}
      onClose={onClose}
      document={SaveMailTemplateDocument}
      variables={isComplete && { ...named, template, version: stored?.version ?? null }}
      label="Save"
      done="The template is saved"
      more={
        mail && <MailFrame title="Preview of the mail" subject={mail.subject} html={mail.html} />
      }
    >
      <TextField label="Subject" dir="auto" {...subject} />
      <Textarea
        label="Body in MJML"
        autosize
        minRows={8}
        maxRows={16}
        styles={{ input: { fontFamily: 'monospace', fontSize: 12 } }}
        value={mjml}
        onChange={({ currentTarget }) => setMjml(currentTarget.value)}
      />
      <Textarea
        label="Plain text"
        description="The usual text of the kind where it is empty"
        autosize
        minRows={2}
        maxRows={8}
        dir="auto"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Stack gap={4}>
        <Remark>Variables</Remark>
        <Code block>{texts.variables.map((name) => `{{${name}}}`).join(' ')}</Code>
      </Stack>
    </CommandDialog>
  );
}
