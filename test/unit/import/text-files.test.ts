import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from '../../../src/tools/import/csv/read-csv.ts';
import { readJsonList } from '../../../src/tools/import/source/read-lists.ts';
import { textIn } from '../../../src/tools/import/source/text-in.ts';
import { stripeMethod, stripeProduct } from '../../../src/tools/import/stripe/shapes.ts';
import { folderOf } from '../../support/exports/import-files.ts';
import '../../support/properties.ts';

/** Letters of Western Europe, with those that Windows-1252 has in place of control characters. */
const letters = 'abc ,;"\nÄÖÜäöüßéèçñåøÆŒœ€ŠžŸ“”–™';
const western = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 40 });

/** The byte of each letter that Windows-1252 has. */
const bytesOf = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
);
const windows1252 = (text: string) =>
  Uint8Array.from([...text].map((letter) => bytesOf.get(letter) ?? 0));

const utf16 = (text: string, isLittle: boolean) => {
  const bytes = Buffer.from(`\u{feff}${text}`, 'utf16le');
  return isLittle ? bytes : bytes.swap16();
};

test('a text is the same in each encoding in which people have it', () => {
  fc.assert(
    fc.property(western, (text) => {
      const decoded = (bytes: Uint8Array) => textIn(bytes, 'file').text;
      expect(decoded(Buffer.from(text))).toBe(text);
      expect(decoded(Buffer.from(`\u{feff}${text}`))).toBe(text);
      expect(decoded(utf16(text, true))).toBe(text);
      expect(decoded(utf16(text, false))).toBe(text);
      const isAscii = !/[^\0-\x7f]/.test(text);
      const bytes = windows1252(text);
      // Some sequences of these bytes are UTF-8 as well; no word of a language has them.
      const isUtf8 = !Buffer.from(bytes).toString().includes('\u{fffd}');
      if (isAscii || !isUtf8) expect(decoded(bytes)).toBe(text);
    }),
  );
  expect(textIn(Buffer.from('Jörg', 'utf16le'), 'file').text).toBe('Jörg');
  expect(() => textIn(Uint8Array.of(0x4a, 0x81, 0xf6), 'customers.csv')).toThrow(
    'customers.csv is text in neither UTF-8, UTF-16 nor Windows-1252: save it as UTF-8',
  );
});

const header = ['external_id', 'name', 'email', 'line1', 'country'];
const row = ['one', '"Jörg; Müller, Tab\tund\nZeile"', 'joerg@example.com', 'Weg 1', 'DE'];
const subscription = (flag: string, quantity = '1', days = '14') => ({
  'subscriptions.csv': `external_id,customer_external_id,price_slug,start_date,paid_until,ends_with_period,quantity,collection_method,days_until_due\none,one,plan,2026-01-01,2026-02-01,${flag},"${quantity}",send_invoice,"${days}"\n`,
});

test('a table is the same with each separator, line end and byte order mark', async () => {
  const table = (separator: string, end: string) =>
    [header, row].map((cells) => cells.join(separator) + end).join('');
  const read = async (text: string) => readCsv(await folderOf({ 'customers.csv': text }));
  const usual = await read(table(',', '\n'));
  expect(usual.problems).toEqual([]);
  expect(usual.customers).toMatchObject([
    { name: 'Jörg; Müller, Tab\tund\nZeile', email: 'joerg@example.com' },
  ]);
  for (const separator of [',', ';', '\t', '|'])
    for (const end of ['\n', '\r\n'])
      for (const begin of [
        '',
        '\u{feff}',
        `sep=${separator}${end}`,
        `\u{feff}sep=${separator}${end}`,
      ])
        expect(await read(begin + table(separator, end))).toEqual(usual);
  await expect(read('external_id;name\n1;Ada\n')).rejects.toThrow(
    'customers.csv lacks the columns email. Its first row, separated by semicolons, is: external_id, name',
  );
  await expect(read('external_id,name,email,Vat\n')).rejects.toThrow('the unknown columns vat');
  await expect(read('external_id,name,email,name\n')).rejects.toThrow('the column name twice');
});

test('the words of spreadsheets for true and false are understood, and numbers with separators are not guessed', async () => {
  const read = async (...cells: Parameters<typeof subscription>) => {
    const { subscriptions, problems } = await readCsv(await folderOf(subscription(...cells)));
    return problems[0]?.message ?? subscriptions[0];
  };
  for (const word of ['TRUE', 'true', 'WAHR', 'Vrai', 'VERDADERO', '1'])
    expect(await read(word)).toMatchObject({ endsWithPeriod: true });
  for (const word of ['FALSE', 'FALSCH', 'faux', 'FALSO', '0', ''])
    expect(await read(word)).toMatchObject({ endsWithPeriod: false });
  expect(await read('maybe')).toBe('ends_with_period: must be true or false');
  for (const quantity of ['2,5', '1.000', '1,000', '1e3', '0x10', '-1', '1 000'])
    expect(await read('', quantity)).toMatch('quantity: must be a whole number without separators');
  expect(await read('', '1', '14,0')).toMatch('days_until_due: must be a whole number');
  const phases = `subscription_external_id,starts_at,price_slug,discount_percentage,unit_price\none,2026-02-01,plan,"12,5",\none,2026-03-01,plan,,"12,50"\n`;
  const source = await readCsv(await folderOf({ ...subscription(''), 'phases.csv': phases }));
  expect(source.problems.map(({ message }) => message)).toEqual([
    'discount_percentage: has a decimal comma: write a point, such as 12.5',
    'unit_price: must be a whole number without separators, such as 1250 minor units for 12.50',
  ]);
});

test('a subscription of which one row is refused, or whose rows contradict, is left out as a whole', async () => {
  const head = 'external_id,customer_external_id,price_slug,start_date,paid_until,quantity';
  const text = `${head}
one,ada,plan,2026-01-01,2026-02-01,1
one,ada,seat,2026-01-01,2026-02-01,many
two,ada,plan,2026-01-01,2026-02-01,1
two,bob,seat,2026-01-01,2026-02-01,1
three,ada,plan,2026-01-01,2026-02-01,1
three,ada,seat,2026-01-01,,2
`;
  const { subscriptions, problems } = await readCsv(await folderOf({ 'subscriptions.csv': text }));
  expect(subscriptions).toMatchObject([
    { externalId: 'three', items: [{ quantity: 1 }, { quantity: 2 }] },
  ]);
  expect(problems.map(({ record }) => record)).toEqual(['subscription one', 'subscription two']);
});

test('a damaged text is never stored, whether a file or an escape has it', async () => {
  const products = [
    '{"id": "a", "name": "J\u{fffd}rg"}',
    '{"id": "b", "name": "J\\ufffdrg"}',
    '{"id": "c", "name": "half of \\ud83d"}',
    '{"id": "d", "name": "Jörg"}',
  ].join('\n');
  const read = async (text: string) =>
    readJsonList(
      await folderOf({ 'products.json': text }),
      'products.json',
      'product',
      stripeProduct,
    );
  const { records, problems } = await read(products);
  expect(records.map(({ id }) => id)).toEqual(['d']);
  expect(problems.map(({ record, message }) => `${record}: ${message}`)).toEqual([
    expect.stringMatching(/^product a: name: has a letter that an earlier conversion has damaged/),
    expect.stringMatching(/^product b: name: /),
    expect.stringMatching(/^product c: name: /),
  ]);
});

test('all pages of a list in one file are read, and a list whose last page says that more follow is reported', async () => {
  const page = (id: string, has_more: boolean, space = 0) =>
    JSON.stringify({ object: 'list', has_more, data: [{ id, name: 'A }"\\" { [' }] }, null, space);
  const read = async (text: string) => {
    const folder = await folderOf({ 'products.json': text });
    const list = await readJsonList(folder, 'products.json', 'product', stripeProduct);
    return [list.records.map(({ id }) => id), list.problems.map(({ message }) => message)];
  };
  const more = expect.stringMatching(/^is incomplete: it ends with has_more: true/);
  expect(await read(`${page('a', true)}\n${page('b', false)}`)).toEqual([['a', 'b'], []]);
  expect(await read(`[${page('a', true)}, ${page('b', false)}]`)).toEqual([['a', 'b'], []]);
  expect(await read(`\u{feff}${page('a', false)}`)).toEqual([['a'], []]);
  const printed = [page('a', true, 2), page('b', true, 2), page('c', false, 2)];
  for (const between of ['', '\n', '\r\n', '\n\u{feff}'])
    expect(await read(printed.join(between))).toEqual([['a', 'b', 'c'], []]);
  expect(await read(printed.slice(0, 2).join('\n'))).toEqual([['a', 'b'], [more]]);
  expect(await read(`[${page('a', true, 2)}]\n[${page('b', false, 2)}]\n`)).toEqual([
    ['a', 'b'],
    [],
  ]);
  const wrong = /must be a JSON array, lists with data one after the other, or one JSON object/;
  for (const text of [`${printed[0]}\n{"data": [`, `${printed[0]} x`, `${printed[0]}}`, '{]'])
    await expect(read(text)).rejects.toThrow(wrong);
  expect(await read(page('a', true))).toEqual([['a'], [more]]);
  expect(await read(`${page('a', false)}\n${page('b', true)}`)).toEqual([['a', 'b'], [more]]);
});

test('a record that a file has twice is taken once, and one with different contents is left out', async () => {
  const products = [
    { id: 'once', name: 'A' },
    { id: 'equal', name: 'B', active: true },
    { id: 'other', name: 'C' },
    { active: true, name: 'B', id: 'equal' },
    { id: 'other', name: 'C', active: false },
  ];
  const read = async (content: unknown) =>
    readJsonList(
      await folderOf({ 'products.json': content }),
      'products.json',
      'product',
      stripeProduct,
    );
  const lines = products.map((one) => JSON.stringify(one)).join('\n');
  for (const content of [products, lines]) {
    const { records, raw, refused, problems } = await read(content);
    expect(records.map(({ id }) => id)).toEqual(['once', 'equal']);
    expect(raw.map(({ id }) => id)).toEqual(['once', 'equal']);
    expect(refused.map(({ id }) => id)).toEqual(['other', 'other']);
    expect(problems).toEqual([
      {
        record: 'product equal',
        message: 'is in the file 2 times, and is taken once',
        isLeftOut: false,
      },
      {
        record: 'product other',
        message: 'is in the file 2 times with different contents: export it again',
        isLeftOut: true,
      },
    ]);
  }
});

test('a token of the sandbox is the payment method of several customers', async () => {
  const methodOf = (customer: unknown) => ({ id: 'sandbox_success', customer, type: 'card' });
  const methods = ['ada', 'bob', { id: 'ada' }].map(methodOf);
  const folder = await folderOf({ 'payment_methods.json': methods });
  const read = (kind: string) => readJsonList(folder, 'payment_methods.json', kind, stripeMethod);
  const { records, problems } = await read('payment method');
  expect(records.map(({ customer }) => customer)).toEqual(['bob']);
  expect(problems).toMatchObject([{ record: 'payment method sandbox_success of ada' }]);
});

test('rows that are written twice are items, with a note, and rows of a phase that contradict leave it out', async () => {
  const head = 'external_id,customer_external_id,price_slug,start_date,paid_until,quantity';
  const row = (id: string, quantity = 1) => `${id},ada,plan,2026-01-01,2026-02-01,${quantity}\n`;
  const text = `${head}\n${row('one')}${row('one')}${row('two')}${row('two', 2)}${row('three')}`;
  const phases = `subscription_external_id,starts_at,price_slug,timing,quantity
three,2026-03-01,plan,with_period,1
three,2026-03-01,seat,at_date,1
three,2026-04-01,plan,at_date,1
three,2026-04-01,seat,,1
three,2026-05-01,plan,,1
three,2026-05-01,plan,,1
`;
  const files = { 'subscriptions.csv': text, 'phases.csv': phases };
  const { subscriptions, problems } = await readCsv(await folderOf(files));
  expect(subscriptions.map(({ items }) => items.length)).toEqual([2, 2, 1]);
  expect(subscriptions[2]?.phases).toMatchObject([
    { timing: 'at_date', items: [{}, {}] },
    { timing: undefined, items: [{}, {}] },
  ]);
  const twice =
    'has a row equal to an earlier one, and each row is an item: remove what was written twice';
  expect(problems).toEqual([
    { record: 'subscription one', message: twice, isLeftOut: false },
    {
      record: 'phase of three from 2026-03-01T00:00:00.000Z',
      message:
        'timing: differs between the rows of its items: the first row has it for all of them',
      isLeftOut: true,
    },
    { record: 'phase of three from 2026-05-01T00:00:00.000Z', message: twice, isLeftOut: false },
  ]);
});

test('a file without a text is refused, as is one that was cut', async () => {
  const empty = /is empty, as a failed export leaves it/;
  for (const content of ['', '\n', '\u{feff}', ' \r\n']) {
    const products = await folderOf({ 'products.json': content });
    const read = readJsonList(products, 'products.json', 'product', stripeProduct);
    await expect(read).rejects.toThrow(empty);
    for (const file of ['customers.csv', 'subscriptions.csv', 'phases.csv'])
      await expect(readCsv(await folderOf({ [file]: content }))).rejects.toThrow(empty);
  }
  const named = await folderOf({ 'customers.csv': 'sep=;\n' });
  await expect(readCsv(named)).rejects.toThrow('lacks the columns');
});
