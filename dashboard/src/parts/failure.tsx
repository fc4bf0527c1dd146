import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '../icons/icons.tsx';

interface Props {
  readonly error: { readonly message: string } | undefined;
  readonly onRetry: () => void;
}

/** The reason why a part of a page cannot be shown, and the way to try again. */
export function Failure({ error, onRetry }: Props) {
  if (!error) return null;
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title="This cannot be shown"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error.message.replace(/^\[\w+\] /, '')}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}
