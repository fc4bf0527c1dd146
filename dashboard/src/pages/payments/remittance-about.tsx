import {
  AboutSection,
  customerFact,
  idFact,
  outsideFact,
  timeFact,
} from '../../parts/fact-kinds.tsx';
import { wordsOf } from '../../parts/texts/formats.ts';
import type { OneRemittanceQuery } from './remittance.generated.ts';

type Remittance = NonNullable<OneRemittanceQuery['remittance']>;

/** Who paid how and when, and who recorded it. */
export function RemittanceAbout({ remittance }: { readonly remittance: Remittance }) {
  const { note, reason, attachmentURL, recordedBy } = remittance;
  const day = (name: string, at: number | null) => at !== null && timeFact(name, at);
  return (
    <AboutSection
      facts={[
        customerFact(remittance.customer),
        ['Method', wordsOf(remittance.method)],
        ['Reference', remittance.reference],
        day('Expected on', remittance.expectedAt),
        day('Received on', remittance.receivedAt),
        day('Reversed on', remittance.reversedAt),
        note && ['Note', note],
        reason && ['Reason', reason],
        attachmentURL && outsideFact('Document', attachmentURL, attachmentURL),
        recordedBy && [
          'Recorded by',
          `${wordsOf(recordedBy.type)}: ${recordedBy.apiKey?.name ?? recordedBy.id}`,
        ],
        idFact(remittance.id),
      ]}
    />
  );
}
