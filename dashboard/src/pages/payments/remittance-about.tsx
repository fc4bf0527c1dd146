import type { ReactNode } from 'react';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import { IdText } from '../../parts/texts/id-text.tsx';
import { Instant } from '../../parts/texts/instant.tsx';
import { OutsideLink } from '../../parts/texts/outside-link.tsx';
import { PageLink } from '../../parts/texts/small-texts.tsx';
import type { OneRemittanceQuery } from './remittance.generated.ts';

type Remittance = NonNullable<OneRemittanceQuery['remittance']>;
type Fact = readonly [string, ReactNode];

/** Who paid how and when, and who recorded it. */
export function RemittanceAbout({ remittance }: { readonly remittance: Remittance }) {
  const { customer, note, reason, attachmentURL, recordedBy } = remittance;
  const day = (name: string, at: number | null): Fact[] =>
    at === null ? [] : [[name, <Instant key={name} at={at} />]];
  const facts: Fact[] = [
    [
      'Customer',
      <PageLink key="customer" to={`/customers/${customer.id}`}>
        {customer.name}
      </PageLink>,
    ],
    ['Method', wordsOf(remittance.method)],
    ['Reference', remittance.reference],
    ...day('Expected on', remittance.expectedAt),
    ...day('Received on', remittance.receivedAt),
    ...day('Reversed on', remittance.reversedAt),
    ...(note ? ([['Note', note]] as const) : []),
    ...(reason ? ([['Reason', reason]] as const) : []),
    ...(attachmentURL
      ? ([
          [
            'Document',
            <OutsideLink key="document" href={attachmentURL}>
              {attachmentURL}
            </OutsideLink>,
          ],
        ] as const)
      : []),
    ...(recordedBy
      ? ([
          [
            'Recorded by',
            `${wordsOf(recordedBy.type)}: ${recordedBy.apiKey?.name ?? recordedBy.id}`,
          ],
        ] as const)
      : []),
    ['Id', <IdText key="id" id={remittance.id} />],
  ];
  return (
    <Section title="About">
      <Facts facts={facts} />
    </Section>
  );
}
