import { Stack } from '@mantine/core';
import { useState } from 'react';
import { EditButton } from '../../commands/command-button.tsx';
import { useLive } from '../../live/use-live.ts';
import { type Fact, Facts, type SomeFacts } from '../../parts/facts.tsx';
import { RecordOr } from '../../parts/record-or.tsx';
import { Section } from '../../parts/section.tsx';
import { addressText } from '../../parts/texts/address-text.tsx';
import { ruleText, taxIdName } from '../../parts/texts/tax-texts.ts';
import { SellerDialog } from './seller-dialog.tsx';
import type { TaxedOrganization } from './tax-rate-texts.ts';
import { TaxRates } from './tax-rates.tsx';
import { TaxRuleDialog } from './tax-rule-dialog.tsx';
import { TaxSettingsDocument } from './taxes.generated.ts';

/** How taxes are computed, the seller on documents, and the tax rates. */
export function Taxes() {
  const result = useLive(TaxSettingsDocument, {}, { kinds: ['organization'] });
  const [dialog, setDialog] = useState<'rule' | 'seller'>();
  const close = () => setDialog(undefined);
  const edit = (name: 'rule' | 'seller') => (
    <EditButton
      does="updateOrganization"
      aria-label={name === 'rule' ? 'Edit the computation' : 'Edit the seller'}
      onClick={() => setDialog(name)}
    />
  );
  return (
    <RecordOr result={result} record={result.data?.organization} name="organization">
      {(organization) => (
        <Stack>
          <Section title="How taxes are computed" actions={edit('rule')}>
            <Facts facts={ruleFacts(organization)} />
          </Section>
          <Section title="Seller on documents" actions={edit('seller')}>
            <Facts facts={sellerFacts(organization)} />
          </Section>
          <TaxRates engine={organization.taxEngine} />
          {dialog === 'rule' && <TaxRuleDialog organization={organization} onClose={close} />}
          {dialog === 'seller' && <SellerDialog organization={organization} onClose={close} />}
        </Stack>
      )}
    </RecordOr>
  );
}

const engines = {
  rule: 'By one rule for all customers',
  rates: 'By the place of the customer',
  service: 'By your tax service',
} as const;

function ruleFacts(organization: TaxedOrganization): Fact[] {
  const { taxEngine, taxServiceUrl, taxInclusive } = organization;
  const rule = ruleText(organization) ?? 'No tax';
  return [
    ['Taxes', engines[taxEngine]],
    taxEngine === 'service'
      ? ['Address of the service', taxServiceUrl]
      : [taxEngine === 'rates' ? 'Where no rate applies' : 'Rule', rule],
    ['Prices', taxInclusive ? 'They include the tax' : 'Tax is added to them'],
  ];
}

function sellerFacts({ legalName, address, taxIds, bankAccount }: TaxedOrganization): SomeFacts {
  return [
    ['Legal name', legalName ?? 'The name of the organization'],
    ['Address', addressText(address)],
    ...taxIds.map(({ type, value }): Fact => [taxIdName(type), value]),
    taxIds.length === 0 && ['Tax number', null],
    [
      'Bank account',
      bankAccount &&
        [bankAccount.holder, grouped(bankAccount.iban), bankAccount.bic].filter(Boolean).join(', '),
    ],
  ];
}

/** An account number in groups of four, as people write it. */
const grouped = (iban: string) => iban.replace(/(.{4})(?=.)/g, '$1 ');
