import { Text } from '@mantine/core';
import { useState } from 'react';
import { EditButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { SwitchField } from '../../parts/fields/check-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { RowTable } from '../../parts/lists/row-table.tsx';
import { Section } from '../../parts/section.tsx';
import { moneyText } from '../../parts/texts/formats.ts';
import { type OfferFields, OffersInput, offerFieldsOf, offersInput } from './credit-offers.tsx';
import {
  type OrganizationSettingsQuery,
  UpdateOrganizationDocument,
} from './organization.generated.ts';

type Organization = NonNullable<OrganizationSettingsQuery['organization']>;
type Offer = Organization['prepaidOffers'][number];

/** The prepaid credit that customers may buy themselves, such as in the portal. */
export function CreditSales({ organization }: { readonly organization: Organization }) {
  const { customersMayBuyCredit, prepaidOffers } = organization;
  return (
    <Section
      title="Prepaid credit for sale"
      actions={
        <EditButton
          does="updateOrganization"
          dialog={(onClose) => <SalesDialog organization={organization} onClose={onClose} />}
        >
          Change
        </EditButton>
      }
    >
      <Text size="sm">
        {customersMayBuyCredit
          ? 'Customers may buy credit in the portal'
          : 'Customers may not buy credit'}
      </Text>
      {prepaidOffers.length > 0 && (
        <RowTable
          label="Offers of prepaid credit"
          rows={prepaidOffers.map((offer) => ({ ...offer, id: offer.currency }))}
          isDimmed={() => !customersMayBuyCredit}
          columns={[
            { name: 'Currency', cell: ({ currency }) => currency },
            { name: 'Amounts', cell: amountsText },
            {
              name: 'Expiry',
              cell: ({ validDays }) =>
                validDays === null ? 'Does not expire' : `Expires after ${validDays} days`,
            },
          ]}
        />
      )}
    </Section>
  );
}

/** The amounts of an offer: `$20.00, $50.00, or from $5.00 to $90.00`. */
function amountsText({ currency, amounts, minimum, maximum }: Offer): string {
  const parts = amounts.map((amount) => moneyText(amount, currency));
  if (minimum === null || maximum === null) return parts.join(', ');
  const limits = `from ${moneyText(minimum, currency)} to ${moneyText(maximum, currency)}`;
  return parts.length > 0 ? `${parts.join(', ')}, or ${limits}` : limits;
}

interface DialogProps {
  readonly organization: Organization;
  readonly onClose: () => void;
}

function SalesDialog({ organization: before, onClose }: DialogProps) {
  const mayBuy = useField(before.customersMayBuyCredit);
  const [offers, setOffers] = useState<readonly OfferFields[]>(() =>
    before.prepaidOffers.map(offerFieldsOf),
  );
  const prepaidOffers = offersInput(offers);
  return (
    <CommandDialog
      title="Prepaid credit for sale"
      onClose={onClose}
      document={UpdateOrganizationDocument}
      variables={
        prepaidOffers && {
          version: before.version,
          organization: { customersMayBuyCredit: mayBuy.value, prepaidOffers },
        }
      }
      label="Save"
      done="The offers are changed"
    >
      <SwitchField
        label="Customers may buy prepaid credit"
        description="In the portal, and with tokens of customers"
        {...mayBuy}
      />
      <OffersInput offers={offers} currency={before.currency} onChange={setOffers} />
    </CommandDialog>
  );
}
