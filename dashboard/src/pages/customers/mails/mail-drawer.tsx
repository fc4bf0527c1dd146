import { Drawer, Stack, Timeline } from '@mantine/core';
import { useLive } from '../../../live/use-live.ts';
import { Facts, type SomeFacts } from '../../../parts/facts.tsx';
import { MailFrame } from '../../../parts/mail-frame.tsx';
import { RecordOr } from '../../../parts/record-or.tsx';
import { instantText } from '../../../parts/texts/days.ts';
import { wordsOf } from '../../../parts/texts/formats.ts';
import { Dimmed } from '../../../parts/texts/small-texts.tsx';
import { OneMailDocument, type OneMailQuery } from './mails.generated.ts';

type Mail = NonNullable<OneMailQuery['mail']>;

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

/** The content of a mail, and its attempts with the answers of the mail server. */
export function MailDrawer({ id, onClose }: Props) {
  const result = useLive(OneMailDocument, { id });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title="Mail"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <RecordOr result={result} record={result.data?.mail} name="mail">
        {(mail) => (
          <Stack>
            <Facts facts={factsOf(mail)} />
            {mail.html && <MailFrame title="Content" subject={mail.subject} html={mail.html} />}
            <Attempts mail={mail} />
          </Stack>
        )}
      </RecordOr>
    </Drawer>
  );
}

const factsOf = (mail: Mail): SomeFacts => [
  ['Kind', wordsOf(mail.kind)],
  ['State', wordsOf(mail.status)],
  mail.problem && ['Reason', mail.problem],
  ['From', mail.from ?? 'Not written yet'],
  ['To', mail.to ?? 'Not written yet'],
  ['Language', mail.language ?? 'Not written yet'],
  ['Event', instantText(mail.occurredAt)],
  mail.nextAttemptAt && ['Next attempt', instantText(mail.nextAttemptAt)],
];

function Attempts({ mail: { attempts } }: { readonly mail: Mail }) {
  return (
    <Timeline bulletSize={12} lineWidth={2}>
      {attempts.map(({ at, response, error, durationMilliseconds }) => (
        <Timeline.Item key={at} title={response ?? error ?? 'No answer'}>
          <Dimmed>
            {instantText(at)}, {durationMilliseconds} ms
          </Dimmed>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
