import { Button, Group, Modal, type ModalProps, Text } from '@mantine/core';
import { useState } from 'react';

interface Props extends Omit<ModalProps, 'closeOnEscape' | 'closeOnClickOutside'> {
  /** The question about what a close discards now; undefined for nothing. */
  readonly loses: string | undefined;
}

/** A dialog that asks before Escape, its cross or a click outside of it discards what it has. */
export function AskingModal({ loses, onClose, children, ...props }: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Modal
        {...props}
        closeButtonProps={{ 'aria-label': 'Close' }}
        // The question has the keyboard while it is open.
        closeOnEscape={!isAsking}
        closeOnClickOutside={!isAsking}
        trapFocus={!isAsking}
        onClose={() => (loses === undefined ? onClose() : setAsking(true))}
      >
        {children}
      </Modal>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        // The key that asks must not answer at once, so only keys within the question count.
        closeOnEscape={false}
        onKeyDown={({ key }) => {
          if (key === 'Escape') setAsking(false);
        }}
        title={loses}
        size="sm"
        centered
        zIndex={300}
        closeButtonProps={{ 'aria-label': 'Close the question' }}
      >
        <Text size="sm" mb="md">
          It cannot be restored.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
            Keep it
          </Button>
          <Button
            color="red"
            onClick={() => {
              setAsking(false);
              onClose();
            }}
          >
            Discard
          </Button>
        </Group>
      </Modal>
    </>
  );
}
