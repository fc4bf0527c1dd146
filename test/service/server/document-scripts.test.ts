import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { runsOf } from '#server/documents/pdf/text-runs.ts';
import { pdfActualTexts, pdfCharacters } from '../../support/answers/pdf-text.ts';
import { anOpenInvoice } from '../../support/factories.ts';
import { seeded } from '../../support/seeded.ts';
import { test } from '../../support/test.ts';

const words = [
  '中文名字有限公司',
  '株式会社テスト',
  '주식회사한국어',
  'บริษัททดสอบ',
  'ບໍລິສັດ',
  'ក្រុមហ៊ុន',
  'བོད་ཡིག',
  'አማርኛ',
  'ক্ষুদ্র',
  'ਪੰਜਾਬੀ',
  'ગુજરાતી',
  'ଓଡ଼ିଆ',
  'கொள்கை',
  'తెలుగు',
  'ಶ್ರೀ',
  'ഭാഷ',
  'ශ්‍රී',
  'क्षेत्रीय',
  'ООО',
  'Ελληνική',
  'Zażółć',
  'חברה',
];

describe('a document in several scripts', () => {
  test('shows the characters of each, and a sign for those that no font has', async ({
    api,
    session,
    gateway,
  }) => {
    const description = `${words.join(' ')} 🎉`;
    const { id } = await anOpenInvoice(session, {
      lines: [{ quantity: 1, price: 100, description }],
    });
    const { pdfURL } = (await api('GET', `/invoices/${id}`)).body.invoice;
    const responses = await Promise.all([1, 2, 3].map(() => gateway.fetch(pdfURL)));
    for (const response of responses) {
      expect(response.status).toBe(200);
      const pdf = Buffer.from(await response.arrayBuffer());
      const shown = pdfCharacters(pdf);
      // A joined shape has one of its letters only; the text of its word has all.
      const listed = [...shown, ...pdfActualTexts(pdf)].join('');
      for (const character of words.join('')) expect(listed).toContain(character);
      expect(shown).toContain('\ufffd');
      expect(pdf.length).toBeLessThan(200_000);
    }
  });
});

test('a line is shown with each of its characters once, in runs of one font and direction', () => {
  const character = fc.constantFrom('a', '1', ' ', '中', '(', ')', 'ש', 'ل', 'م', '.');
  const line = fc.array(character, { maxLength: 20 }).map((characters) => characters.join(''));
  const plain = (text: string) => [...text.replaceAll(')', '(')].toSorted().join('');
  fc.assert(
    fc.property(line, (line) => {
      const runs = runsOf(line, (text) => ({ text, font: text === '中' ? 'other' : undefined }));
      expect(plain(runs.map(({ text }) => text).join(''))).toBe(plain(line));
      for (const { text, font } of runs)
        expect([...text].every((one) => (one === '中') === (font === 'other'))).toBe(true);
    }),
    seeded('text runs'),
  );
});

test('a bracket in text from right to left is mirrored, and numbers keep their order', () => {
  const shownAs = (text: string) => ({ text, font: undefined });
  expect(runsOf('שלום (12)', shownAs).map(({ text }) => text)).toEqual(['(', '12', 'שלום )']);
  // The font reverses Arabic digits, so they are reversed before.
  expect(runsOf('مبلغ ١٢٣', shownAs).map(({ text }) => text)).toEqual(['٣٢١', 'مبلغ ']);
  expect(runsOf('plain (12)', shownAs).map(({ text }) => text)).toEqual(['plain (12)']);
});
