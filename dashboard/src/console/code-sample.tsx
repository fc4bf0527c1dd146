import { ActionIcon, Box, Code, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '../icons/icons.tsx';

/** A text to copy. */
export function CodeSample({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Box pos="relative">
      <Code block mah={320} tabIndex={0} aria-label={label} style={{ overflow: 'auto' }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              variant="default"
              pos="absolute"
              top={8}
              right={8}
              onClick={copy}
              aria-label={`Copy ${label}`}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Box>
  );
}
