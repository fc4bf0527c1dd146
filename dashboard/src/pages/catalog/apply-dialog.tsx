import { Loader } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { AskingModal } from '../../parts/asking-modal.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useFocusReturn } from '../../parts/use-focus-return.ts';
import { ExportPricingModelDocument, UpdatePricingModelDocument } from './catalog.generated.ts';
import { DocumentEditor } from './document-editor.tsx';
import { usePlan } from './use-plan.ts';

interface Props {
  readonly model: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
  readonly onApplied: () => void;
}

/** A pricing model as a document, which is edited and applied with its plan. */
export function ApplyDialog({ model, onClose, onApplied }: Props) {
  useFocusReturn();
  const [{ data, error }, ask] = useQuery({
    query: ExportPricingModelDocument,
    variables: { id: model.id },
    requestPolicy: 'network-only',
  });
  const [isEdited, setEdited] = useState(false);
  const exported = data?.exportPricingModel?.pricingModel;
  return (
    <AskingModal
      opened
      onClose={onClose}
      title={`${model.name} as a document`}
      size="xl"
      loses={isEdited ? 'Discard your changes of the document?' : undefined}
    >
      <Failure error={error} onRetry={ask} />
      {!exported && !error && <Loader aria-label="Loading" />}
      {exported !== undefined && exported !== null && (
        <Editor
          model={model}
          exported={JSON.stringify(exported, null, 2)}
          onClose={onClose}
          onApplied={onApplied}
          onEdit={() => setEdited(true)}
        />
      )}
    </AskingModal>
  );
}

interface EditorProps extends Props {
  readonly exported: string;
  readonly onEdit: () => void;
}

function Editor({ model: { id, name }, exported, onEdit, ...props }: EditorProps) {
  const [text, setText] = useState(exported);
  const planned = usePlan(UpdatePricingModelDocument, text, (pricingModel) => ({
    id,
    pricingModel,
  }));
  return (
    <DocumentEditor
      does="updatePricingModel"
      {...props}
      text={text}
      onText={(next) => {
        setText(next);
        onEdit();
      }}
      planned={planned}
      fileName={`${name}.json`}
    />
  );
}
