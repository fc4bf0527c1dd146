import { Button, Group, Stack, Text } from '@mantine/core';
import { CodeSample } from '../console/code-sample.tsx';
import { AskingModal } from './asking-modal.tsx';

interface Props {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a secret once. */
export function SecretDialog({ title, secret, onClose }: Props) {
  return (
    <AskingModal opened onClose={onClose} title={title} loses="Have you copied it?">
      <Stack>
        <Text size="sm">Copy it now. It is shown only once.</Text>
        <CodeSample label="the secret" text={secret} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </AskingModal>
  );
}
