import { TextCommandDialog } from '../../commands/text-command-dialog.tsx';
import { CreatePricingModelDocument } from './catalog.generated.ts';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}

/** Creates a pricing model with a free product. */
export const NewPricingModelDialog = ({ onClose, onCreated }: Props) => (
  <TextCommandDialog
    title="New pricing model"
    onClose={onClose}
    document={CreatePricingModelDocument}
    variables={(name) => name && { pricingModel: { name } }}
    label="Create"
    done="The pricing model is created"
    onDone={({ createPricingModel: created }) => created && onCreated(created.pricingModel.id)}
    field={{ label: 'Name', dir: 'auto', 'data-autofocus': true }}
  />
);
