import { MultiSelect, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CommandDialog } from '../../commands/command-dialog.tsx';
import { useHasScope } from '../../commands/permissions.tsx';
import { wordsOf } from '../../parts/formats.ts';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { CreateApiKeyDocument, type CreateApiKeyMutationVariables } from './settings.generated.ts';

type Scope = NonNullable<CreateApiKeyMutationVariables['apiKey']['scopes']>[number];

const scopes: readonly Scope[] = [
  'read',
  'api_keys_write',
  'catalog_write',
  'claims_write',
  'customer_tokens_write',
  'customers_write',
  'external_payments_write',
  'invoices_write',
  'organization_write',
  'payment_methods_write',
  'payments_write',
  'subscriptions_write',
  'test_clocks_write',
  'usage_write',
  'webhooks_write',
];

/** Creates a key, and shows it once. */
export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [type, setType] = useState<string | null>('secret');
  const [chosen, setChosen] = useState<string[]>([]);
  const [token, setToken] = useState<string>();
  const isSecret = type === 'secret';
  const has = useHasScope();
  return (
    <>
      <CommandDialog
        title="New key"
        isOpen={token === undefined}
        onClose={() => {}}
        onCancel={onClose}
        document={CreateApiKeyDocument}
        variables={
          name.trim()
            ? {
                apiKey: {
                  name: name.trim(),
                  type: type as 'secret',
                  ...(isSecret && chosen.length > 0 && { scopes: chosen as Scope[] }),
                },
              }
            : undefined
        }
        label="Create"
        done="The key is created"
        onDone={({ createApiKey: created }) => setToken(created?.token)}
      >
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Select
          label="Type"
          data={[
            { value: 'secret', label: 'Secret, for servers' },
            { value: 'publishable', label: 'Publishable, reads the catalog only' },
          ]}
          value={type}
          onChange={setType}
          allowDeselect={false}
        />
        {isSecret && (
          <MultiSelect
            label="Scopes"
            description="All that you have when empty"
            data={scopes.filter(has).map((value) => ({ value, label: wordsOf(value) }))}
            value={chosen}
            onChange={setChosen}
            searchable
          />
        )}
      </CommandDialog>
      <SecretDialog title="The new key" secret={token} onClose={onClose} />
    </>
  );
}
