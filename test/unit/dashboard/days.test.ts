import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { root } from '#root';
import { dayOf, instantAt, startOf, timeOf } from '../../../dashboard/src/parts/texts/days.ts';
import '../../support/properties.ts';

/** The modules that make days, and the input whose times they convert. */
const makers = [
  'dashboard/src/parts/texts/days.ts',
  'dashboard/src/parts/fields/time-input.tsx',
  'src/server/portal/texts/wording.ts',
];

/** Ways to make a day or a time, each of which would choose a time zone by itself. */
const ways: readonly RegExp[] = [
  /DateTimeFormat/,
  /\.toLocale(Date|Time)String\b/,
  // Numbers have a locale of their own; `new Date(…).toLocaleString()` is an instant.
  /new Date\([^)]*\)\.to\w*String\b/,
  /\.to(ISO|UTC|Date|Time)String\b|\.toJSON\b/,
  /\.(get|set)(UTC)?(Date|Day|Month|FullYear|Hours|Minutes|Seconds)\b|getTimezoneOffset/,
  /Date\.(parse|UTC)\b/,
  /\bTemporal\b|\bdayjs\b/,
  /from '@mantine\/dates'|type="datetime-local"/,
];

/** In a browser an instant is a number: only a conversion needs a date. */
const inBrowser = /new Date\(\s*[^)\s]/;

const sources = () =>
  globSync(
    [
      'dashboard/src/**/*.{ts,tsx}',
      'dashboard/client/src/**/*.{ts,tsx}',
      'src/server/{portal,pages,checkout,mail-switch}/**/*.{ts,js}',
    ],
    { cwd: root },
  ).filter((file) => !file.includes('.generated.') && !file.includes('node_modules'));

const foundIn = (text: string, file = 'dashboard') =>
  text
    .split('\n')
    .filter((line) =>
      [...ways, ...(file.startsWith('dashboard') ? [inBrowser] : [])].some((way) => way.test(line)),
    )
    .map((line) => line.trim());

test('one module makes the days of the dashboard, and one those of the portal', () => {
  const files = sources();
  expect(files.length).toBeGreaterThan(300);
  const found = files
    .filter((file) => !makers.includes(file))
    .flatMap((file) =>
      foundIn(readFileSync(path.join(root, file), 'utf8'), file).map((line) => `${file}: ${line}`),
    );
  expect(found).toEqual([]);
});

test('each other way to make a day is found', () => {
  for (const line of [
    'new Intl.DateTimeFormat(undefined, options).format(at)',
    'new Date(at).toLocaleString()',
    'at.toLocaleDateString()',
    'day.toISOString().slice(0, 10)',
    'new Date(at)',
    'date.getDate()',
    'instant.getTimezoneOffset() * 60_000',
    "Date.parse(at.replace(' ', 'T'))",
    "import { DateTimePicker } from '@mantine/dates';",
    '<input type="datetime-local">',
  ])
    expect(foundIn(line), line).toEqual([line]);
});

const instants = [
  Date.UTC(2026, 0, 31, 23, 30),
  Date.UTC(2026, 2, 1, 0, 15),
  Date.UTC(2026, 2, 29, 1, 30),
  Date.UTC(2026, 10, 1, 5, 30),
];

/** The texts of some instants, for a reader in a time zone. */
const inZone = (zone: string) =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import * as days from ${JSON.stringify(path.join(root, 'dashboard/src/parts/texts/days.ts'))};
         console.log(JSON.stringify({
           zone: new Date(0).getTimezoneOffset(),
           made: ${JSON.stringify(instants)}.map((at) => [
             days.dayText(at), days.instantText(at), days.dayOf(at), days.timeOf(at), days.instantAt(days.timeOf(at)),
             days.startOf(days.dayOf(at)), days.bucketLabel(at, 'hour'), days.bucketLabel(at, 'month'), days.monthsBefore(at, 1),
           ]),
           reader: days.readersText(${instants[0]}),
         }))`,
      ],
      {
        env: { TZ: zone, LANG: 'en_US.UTF-8' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ),
  );

test('an instant has the same day and time for each reader, who sees the own time as well', () => {
  const { made, reader } = inZone('UTC');
  expect(reader).toBe(null);
  expect(made[0].slice(0, 2)).toEqual(['Jan 31, 2026', expect.stringMatching(/11:30:00.PM UTC$/)]);
  for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kolkata']) {
    const there = inZone(zone);
    expect(there.zone).not.toBe(0);
    expect(there.made, zone).toEqual(made);
    expect(there.reader, zone).not.toBe(null);
  }
});

test('a time and a day of a field are read as they were shown', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2200, 0) / 1_000 }), (seconds) => {
      const at = seconds * 1_000;
      expect(instantAt(timeOf(at))).toBe(at);
      expect(startOf(dayOf(at))).toBe(Math.floor(at / 86_400_000) * 86_400_000);
    }),
  );
  for (const none of ['', undefined, 'tomorrow', '2026-02-30x'])
    expect(startOf(none)).toBe(undefined);
});
