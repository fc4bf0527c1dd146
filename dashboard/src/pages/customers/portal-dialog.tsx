import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { CodeSample } from '../../console/code-sample.tsx';
import { IconExternalLink } from '../../icons/icons.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useFocusReturn } from '../../parts/use-focus-return.ts';
import { PortalLinkDocument } from './access.generated.ts';

interface Props {
  readonly externalId: string;
  readonly onClose: () => void;
}

/** A link to the portal of a customer. */
export function PortalDialog({ externalId, onClose }: Props) {
  useFocusReturn();
  const [{ data, error, fetching }, ask] = useQuery({
    query: PortalLinkDocument,
    variables: { externalId },
    requestPolicy: 'network-only',
  });
  const url = data?.customerBilling?.billingPortalUrl;
  return (
    <Modal
      opened
      onClose={onClose}
      title="Link to the portal"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        {fetching && <Loader size="sm" aria-label="Loading" />}
        <Failure error={error} onRetry={ask} />
        {url && (
          <>
            <Text size="sm">
              Anyone with this link acts as the customer. It is valid for an hour.
            </Text>
            <CodeSample label="the link" text={url} />
            <Group justify="flex-end">
              <Button
                component="a"
                href={url}
                target="_blank"
                rel="noreferrer"
                leftSection={<IconExternalLink size={16} />}
              >
                Open
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}
