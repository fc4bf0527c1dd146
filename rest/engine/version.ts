import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '#root';

const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');

/** The release that answers. */
export const { version } = JSON.parse(manifest) as { readonly version: string };
