import { TextCommandDialog } from '../../commands/text-command-dialog.tsx';
import { UpdatePricingModelDocument } from './catalog.generated.ts';
import type { Model } from './types.ts';

interface Props {
  readonly model: Model;
  readonly onClose: () => void;
}

/** Changes the name of a pricing model. */
export const RenameDialog = ({ model: { id, version, name: before }, onClose }: Props) => (
  <TextCommandDialog
    title="Rename the pricing model"
    onClose={onClose}
    document={UpdatePricingModelDocument}
    variables={(name) => name && name !== before && { id, version, pricingModel: { name } }}
    label="Rename"
    done="The pricing model is renamed"
    field={{ label: 'Name', dir: 'auto', 'data-autofocus': true }}
    text={before}
  />
);
