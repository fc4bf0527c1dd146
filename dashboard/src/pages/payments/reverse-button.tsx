import { PageButton } from '../../commands/command-button.tsx';
import { TextCommandDialog } from '../../commands/text-command-dialog.tsx';
import { ReversePaymentDocument } from './payment.generated.ts';

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

/** Reverses a payment that was recorded by hand, for example after a returned check. */
const ReverseDialog = ({ id, onClose }: Props) => (
  <TextCommandDialog
    title="Reverse the payment"
    onClose={onClose}
    document={ReversePaymentDocument}
    variables={(reason) => reason && { id, reason }}
    label="Reverse"
    isDangerous
    done="The payment is reversed"
    field={{ label: 'Reason', 'data-autofocus': true }}
  />
);

/** The button that reverses a payment. */
export const ReverseButton = ({ id }: Pick<Props, 'id'>) => (
  <PageButton
    does="reversePayment"
    variant="default"
    dialog={(onClose) => <ReverseDialog id={id} onClose={onClose} />}
  >
    Reverse
  </PageButton>
);
