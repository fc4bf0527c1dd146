import { Button, FileButton, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { Dimmed } from '../../parts/texts/small-texts.tsx';
import { SetUpPricingModelDocument } from './catalog.generated.ts';
import { DocumentEditor } from './document-editor.tsx';
import { usePlan } from './use-plan.ts';

const example = JSON.stringify(
  { name: 'Studio', resources: [], usageMeters: [], features: [], products: [] },
  null,
  2,
);

import { AskingModal } from '../../parts/asking-modal.tsx';
import { useFocusReturn } from '../../parts/use-focus-return.ts';

interface Props {
  readonly onClose: () => void;
  readonly onApplied: () => void;
}

/** Applies a document to the pricing model of its name, which is added where there is none. */
export function ImportDialog({ onClose, onApplied }: Props) {
  useFocusReturn();
  const [text, setText] = useState(example);
  const planned = usePlan(SetUpPricingModelDocument, text, (pricingModel) => ({
    pricingModel: pricingModel as never,
  }));
  return (
    <AskingModal
      opened
      onClose={onClose}
      title="Apply a document"
      size="xl"
      loses={text === example ? undefined : 'Discard the document?'}
    >
      <Stack>
        <Group justify="space-between" wrap="nowrap">
          <Dimmed>
            It applies to the pricing model of its name. A new name adds a pricing model.
          </Dimmed>
          <FileButton
            accept="application/json,.json"
            onChange={async (file) => file && setText(await file.text())}
          >
            {(button) => (
              <Button {...button} size="xs" variant="default" style={{ flexShrink: 0 }}>
                Open a file
              </Button>
            )}
          </FileButton>
        </Group>
        <DocumentEditor
          does="setUpPricingModel"
          text={text}
          onText={setText}
          planned={planned}
          onClose={onClose}
          onApplied={onApplied}
          fileName="catalog.json"
        />
      </Stack>
    </AskingModal>
  );
}
