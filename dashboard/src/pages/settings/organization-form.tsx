import { Stack } from '@mantine/core';
import { EditButton } from '../../commands/command-button.tsx';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useLive } from '../../live/use-live.ts';
import { Facts } from '../../parts/facts.tsx';
import { SwitchField } from '../../parts/fields/check-field.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { NumberField } from '../../parts/fields/number-field.tsx';
import { NumbersInput } from '../../parts/fields/numbers-input.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { RecordOr } from '../../parts/record-or.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { CreditSales } from './credit-sales.tsx';
import {
  OrganizationSettingsDocument,
  type OrganizationSettingsQuery,
  UpdateOrganizationDocument,
} from './organization.generated.ts';

type Organization = NonNullable<OrganizationSettingsQuery['organization']>;

/** The organization: its name, and what follows a failed payment. */
export function OrganizationForm() {
  const result = useLive(OrganizationSettingsDocument, {}, { kinds: ['organization'] });
  return (
    <RecordOr result={result} record={result.data?.organization} name="organization">
      {(organization) => (
        <Stack>
          <Section
            title="Organization"
            actions={
              <EditButton
                does="updateOrganization"
                dialog={(onClose) => <EditDialog organization={organization} onClose={onClose} />}
              />
            }
          >
            <Facts facts={factsOf(organization)} />
          </Section>
          <CreditSales organization={organization} />
        </Stack>
      )}
    </RecordOr>
  );
}

const accessNames = {
  keep: 'Keeps its features and gets new credits',
  no_new_credits: 'Keeps its features, without new credits',
  none: 'Grants nothing',
} as const;

const factsOf = (organization: Organization) =>
  [
    ['Name', organization.name],
    ['Currency', organization.currency],
    [
      'A failed payment is tried again after',
      organization.dunningRetryDays.map((count) => `${count} days`).join(', '),
    ],
    [
      'After the last try',
      organization.dunningFinalAction === 'cancel'
        ? 'The subscription is canceled'
        : 'The subscription stays, unpaid',
    ],
    ['An unpaid subscription', accessNames[organization.unpaidAccess]],
    ['Proration credit', wordsOf(organization.prorationCredit)],
    ['Late usage counts for', `${organization.draftWindowHours} hours`],
    ['Invoices of one instant', organization.consolidatesInvoices ? 'One document' : 'Apart'],
    ['Customers may pause', organization.customersMayPause ? 'Yes' : 'No'],
    [
      'Several subscriptions of a customer',
      organization.allowMultipleSubscriptionsPerCustomer ? 'Allowed' : 'Not allowed',
    ],
  ] as const;

function EditDialog({
  organization: given,
  onClose,
}: {
  readonly organization: Organization;
  readonly onClose: () => void;
}) {
  const name = useField(given.name);
  const retryDays = useField<readonly number[]>(given.dunningRetryDays);
  const finalAction = useField<string | null>(given.dunningFinalAction);
  const access = useField<string | null>(given.unpaidAccess);
  const hours = useField<number | undefined>(given.draftWindowHours);
  const mayPause = useField(given.customersMayPause);
  const consolidates = useField(given.consolidatesInvoices);
  return (
    <CommandDialog
      title="Edit the organization"
      onClose={onClose}
      document={UpdateOrganizationDocument}
      variables={
        name.value.trim() &&
        hours.value !== undefined && {
          version: given.version,
          organization: {
            name: name.value.trim(),
            dunningRetryDays: [...retryDays.value],
            dunningFinalAction: finalAction.value as 'cancel',
            unpaidAccess: access.value as 'none',
            draftWindowHours: hours.value,
            customersMayPause: mayPause.value,
            consolidatesInvoices: consolidates.value,
          },
        }
      }
      label="Save"
      done="The organization is changed"
    >
      <TextField label="Name" dir="auto" {...name} />
      <NumbersInput
        label="Days after which a failed payment is tried again"
        rule={{ decimals: 0, min: 1, max: 60 }}
        most={10}
        {...retryDays}
      />
      <Choice
        label="After the last try"
        data={{ cancel: 'Cancel the subscription', unpaid: 'Keep it, unpaid' }}
        {...finalAction}
      />
      <Choice
        label="An unpaid subscription"
        description="After the last try, until its invoices are paid. Subscriptions that are unpaid already follow with their next period"
        data={accessNames}
        {...access}
      />
      <NumberField
        label="Hours for late usage"
        description="The invoice for a period is written after them"
        max={720}
        {...hours}
      />
      <SwitchField
        label="One document for invoices of one instant"
        description="Where a customer has several subscriptions"
        {...consolidates}
      />
      <SwitchField label="Customers may pause their subscriptions" {...mayPause} />
    </CommandDialog>
  );
}
