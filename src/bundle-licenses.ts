import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/**
 * The licences of the packages that a bundle contains, as Markdown: most of them must go with each copy. `modules` are
 * the files of the bundle.
 */
export async function bundledLicenses(modules: readonly string[]): Promise<string> {
  const folders = new Set(modules.flatMap((file) => packageOf(file) ?? []));
  const texts = await Promise.all([...folders].toSorted().map(licenseOf));
  return `# Licenses of bundled packages\n\n${texts.join('\n')}`;
}

/** The folder of the package that contains a file; undefined for a file of this repository. */
const packageOf = (file: string): string | undefined =>
  /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file.replaceAll('\0', ''))?.[1];

async function licenseOf(folder: string): Promise<string> {
  const manifest = await readFile(path.join(folder, 'package.json'), 'utf8');
  const { name, version, license = 'unknown' } = JSON.parse(manifest) as Manifest;
  const names = (await readdir(folder)).filter((file) =>
    /^(licen[cs]e|copying|notice)/i.test(file),
  );
  const texts = names.map((file) => readFile(path.join(folder, file), 'utf8'));
  const whole = (await Promise.all(texts)).map((text) => `\n${text.trim()}\n`).join('');
  return `## ${name} ${version} (${license})\n${whole}`;
}
