import { MultiSelect } from '@mantine/core';
import { useHasScope } from '../../commands/permissions.tsx';
import { SecretCommandDialog } from '../../commands/secret-command-dialog.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { TextField } from '../../parts/fields/text-field.tsx';
import { useField } from '../../parts/fields/use-field.ts';
import { wordsOf } from '../../parts/texts/formats.ts';
import { CreateApiKeyDocument, type CreateApiKeyMutationVariables } from './settings.generated.ts';

type Scope = NonNullable<CreateApiKeyMutationVariables['apiKey']['scopes']>[number];

/** Each scope has a name here, so that a new one is not forgotten. */
const scopes = Object.keys({
  read: true,
  api_keys_write: true,
  catalog_write: true,
  claims_write: true,
  customer_tokens_write: true,
  customers_write: true,
  external_payments_write: true,
  invoices_write: true,
  organization_write: true,
  payment_methods_write: true,
  payments_write: true,
  subscriptions_write: true,
  test_clocks_write: true,
  usage_write: true,
  webhooks_write: true,
} satisfies Record<Scope, true>) as Scope[];

/** Creates a key, and shows it once. */
export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const name = useField('');
  const type = useField<string | null>('secret');
  const chosen = useField<string[]>([]);
  const isSecret = type.value === 'secret';
  const has = useHasScope();
  return (
    <SecretCommandDialog
      title="New key"
      onClose={onClose}
      document={CreateApiKeyDocument}
      variables={
        name.value.trim() && {
          apiKey: {
            name: name.value.trim(),
            type: type.value as 'secret',
            ...(isSecret && chosen.value.length > 0 && { scopes: chosen.value as Scope[] }),
          },
        }
      }
      label="Create"
      done="The key is created"
      secretTitle="The new key"
      secretOf={({ createApiKey: created }) => created?.token}
    >
      <TextField label="Name" data-autofocus {...name} />
      <Choice
        label="Type"
        data={{ secret: 'Secret, for servers', publishable: 'Publishable, reads the catalog only' }}
        {...type}
      />
      {isSecret && (
        <MultiSelect
          label="Scopes"
          description="All that you have when empty"
          data={scopes.filter(has).map((value) => ({ value, label: wordsOf(value) }))}
          {...chosen}
          searchable
        />
      )}
    </SecretCommandDialog>
  );
}
