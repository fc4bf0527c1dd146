import { existsSync, globSync, readFileSync } from 'node:fs';
import { isEnumType, isScalarType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { routes } from '#rest/index.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';
import { schema } from '#schema/index.ts';
import { mistakesIn } from '../support/repository/english.ts';
import { glossary, glossaryIn, refusedIn } from '../support/repository/glossary.ts';

type Texts = ReadonlyMap<string, string>;

/** Every description of the graph, by its place. */
function graphTexts(): Texts {
  const texts = new Map<string, string>();
  const add = (place: string, text: string | null | undefined) => text && texts.set(place, text);
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || (isScalarType(type) && !type.extensions.jsonSchema)) continue;
    add(type.name, type.description);
    if (isEnumType(type)) {
      for (const value of type.getValues()) add(`${type.name}.${value.name}`, value.description);
    }
    if (!('getFields' in type)) continue;
    for (const field of Object.values(type.getFields())) {
      add(`${type.name}.${field.name}`, field.description);
      for (const argument of ('args' in field && field.args) || []) {
        add(`${type.name}.${field.name}(${argument.name})`, argument.description);
      }
    }
  }
  return texts;
}

/** Every description and summary of the OpenAPI document, by its place. */
function openApiTexts(node: unknown, place = '', texts = new Map<string, string>()): Texts {
  if (typeof node !== 'object' || node === null) return texts;
  for (const [key, value] of Object.entries(node)) {
    const isText = key === 'description' || key === 'summary';
    if (isText && typeof value === 'string') texts.set(`${place}/${key}`, value);
    else if (key !== 'example' && key !== 'examples') {
      openApiTexts(value, `${place}/${key}`, texts);
    }
  }
  return texts;
}

const refusal = /\b(?:new \w*Error|invalid|refused?|problem)\(|\bmessage: /g;
const literal = /'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\]|\\.)+)`/g;

/** The texts of refusals: the literals from a refusal's start to the end of its statement. */
function messageTexts(): Texts {
  const texts = new Map<string, string>();
  for (const file of globSync([
    'src/{domain,server,cron,cli,tools}/**/*.ts',
    'rest/**/*.ts',
    'schema/**/*.ts',
  ])) {
    const source = readFileSync(file, 'utf8');
    for (const { index } of source.matchAll(refusal)) {
      const statement = source.slice(index, source.indexOf(';\n', index));
      for (const { 1: quoted, 2: template } of statement.slice(0, 400).matchAll(literal)) {
        const text = quoted ?? template?.replaceAll(/\$\{[^}]*\}/g, 'value') ?? '';
        if (/\w \w/.test(text)) texts.set(`${file}: ${text}`, text);
      }
    }
  }
  return texts;
}

/** The paragraphs and list items of the documents, without code and tables. */
function documentTexts(): Texts {
  if (!existsSync('rest/guides')) return new Map();
  const files = [
    'README.md',
    '.github/CONTRIBUTING.md',
    ...globSync([
      'rest/guides/*.md',
      'src/**/README.md',
      'dashboard/{client,adapters/*}/README.md',
    ]),
    'test/clients/README.md',
  ];
  const texts = new Map<string, string>();
  for (const file of files) {
    const prose = readFileSync(file, 'utf8')
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      .replaceAll(/^\s*\|.*$/gm, '')
      .replaceAll(/^#+ .*$/gm, '')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/);
    for (const [at, block] of blocks.entries()) {
      texts.set(`${file} ${at}`, block.replace(/^\s*(?:[-*]|\d+\.) /, '').replaceAll(/\s+/g, ' '));
    }
  }
  return texts;
}

const docstring = /\/\*\*([\s\S]*?)\*\//g;
const lineComments = /(?:^[ \t]*\/\/.*\n)+/gm;

/** The comments of the code, by their file. */
function commentTexts(): Texts {
  const texts = new Map<string, string>();
  const folders = [
    'src/**/*.ts',
    'rest/**/*.ts',
    'schema/**/*.ts',
    'dashboard/{client/,adapters/*/,}src/**/*.{ts,tsx}',
  ];
  for (const file of globSync(folders)) {
    // A migration that was run stays as it is; a generated file has the texts of its source.
    if (file.startsWith('src/migrations/') || file.endsWith('.generated.ts')) continue;
    const source = readFileSync(file, 'utf8');
    for (const [comment] of [...source.matchAll(docstring), ...source.matchAll(lineComments)]) {
      const lines = comment
        .split('\n')
        .map((line) => line.replace(/^\s*(?:\/\*\*|\/\/|\*\/|\*)/, ''));
      const text = lines.join(' ').replace(/\*\/$/, '').replaceAll(/\s+/g, ' ').trim();
      if (!text.startsWith('biome-ignore')) texts.set(`${file}: ${text}`, text);
    }
  }
  return texts;
}

const textsOf = [
  ['the descriptions of the graph', graphTexts()],
  ['the descriptions of the OpenAPI document', openApiTexts(openApiOf(routes, schema))],
  ['the messages of refusals', messageTexts()],
  ['the documents', documentTexts()],
  ['the comments of the code', commentTexts()],
] as const;

describe('plain technical English', () => {
  test.for(textsOf)('is the language of %s', ([, texts]) => {
    const mistakes = [...texts].flatMap(([place, text]) =>
      mistakesIn(text).map((mistake) => `${place}: ${mistake}`),
    );
    expect(mistakes).toEqual([]);
  });

  test('finds long sentences, private heads and private phrases', () => {
    const long = Array.from({ length: 26 }, () => 'word').join(' ');
    expect(mistakesIn(`${long}.`)).toHaveLength(1);
    expect(mistakesIn('What is charged.')).toHaveLength(1);
    expect(mistakesIn('The command takes the invoice. It comes to 5.')).toHaveLength(1);
    expect(mistakesIn('The amount is `held`: 5 units.')).toEqual([]);
  });
});

describe('the glossary', () => {
  const rows = glossary();

  test('has each word once, in the table for everybody or in that of an area', () => {
    expect(rows.length).toBeGreaterThan(100);
    const terms = rows.flatMap(({ terms }) => terms);
    expect(terms.filter((term, place) => terms.indexOf(term) !== place)).toEqual([]);
  });

  test('refuses no word that it defines, or that another row takes for wrong in one sense', () => {
    const others = new Set(rows.flatMap(({ terms, wrongHere }) => [...terms, ...wrongHere]));
    expect(rows.flatMap(({ refused }) => refused.filter((word) => others.has(word)))).toEqual([]);
  });

  test.for(textsOf)('refuses words in %s', ([, texts]) => {
    const used = [...texts].flatMap(([place, text]) =>
      refusedIn(text, rows).map((word) => `${place}: ${word}`),
    );
    expect(used).toEqual([]);
  });

  test('finds a refused word in any number, and not in code', () => {
    const table = '| term | meaning | not |\n|---|---|---|\n| a, b | first | (c), d e |\n';
    const [row] = glossaryIn('README.md', table);
    expect(row).toMatchObject({ terms: ['a', 'b'], refused: ['d e'], wrongHere: ['c'] });
    expect(refusedIn('The D Es of c; `d e` is code.', row ? [row] : [])).toEqual(['d e']);
    expect(refusedIn('The end exists.', row ? [row] : [])).toEqual([]);
  });
});

test('every value of an enum has a description', () => {
  const silent = Object.values(schema.getTypeMap())
    .filter(isEnumType)
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => type.getValues().map((value) => ({ type, value })))
    .filter(({ value }) => !value.description)
    .map(({ type, value }) => `${type.name}.${value.name}`);
  expect(silent).toEqual([]);
});
