import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folders = ['src', 'schema', 'rest', 'test', 'bench'];
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
);
const documents = [
  '.github/CONTRIBUTING.md',
  ...files.filter(
    (file) => file.endsWith('.md') && /^(src|bench)\//.test(file) && !file.includes('guides'),
  ),
];
const sources = files.filter((file) => /\.(ts|sql)$/.test(file));
const names = new Set(files.map((file) => basename(file)));
/** Words of the code, and texts such as the names of jobs. */
const words = new Set(
  sources.flatMap((file) => readFileSync(file, 'utf8').match(/[A-Za-z_]\w*(-\w+)*/g) ?? []),
);

/** The unknown names that a document has in backticks: paths, file names, and words of the code with several parts. */
function unknownIn(document: string): string[] {
  const text = readFileSync(document, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name);
  const places = ['.', 'src', 'src/domain', dirname(document)];
  const isThere = (path: string) => places.some((place) => existsSync(join(place, path)));
  return [
    ...links.filter((link) => !existsSync(join(dirname(document), link.replace(/#.*/, '')))),
    ...named.filter((name) => {
      if (/[<>:*(]|^\/|^\.|\/$/.test(name)) return false;
      if (/^[\w-]+\.(ts|md)$/.test(name)) return !names.has(name);
      if (/^(src|schema|rest|test|bench|domain)\//.test(name) || /\/.*\.(ts|md)$/.test(name)) {
        return !isThere(name);
      }
      if (/^[a-z]+([_-][a-z]+)+$|^[a-z]+[A-Z]\w*$|^([A-Z][a-z]+){2,}$/.test(name)) {
        return !words.has(name);
      }
      return false;
    }),
  ];
}

describe('documents for engineers', () => {
  test.for(documents)('%s names only what is there', (document) => {
    expect(unknownIn(document)).toEqual([]);
  });

  test('decisions are listed', () => {
    const list = readFileSync('src/decisions/README.md', 'utf8');
    for (const file of readdirSync('src/decisions')) {
      if (/^\d/.test(file)) expect(list).toContain(`(${file})`);
    }
  });
});
