import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the project: the nearest one above this code with a `package.json`. */
export const root = above(import.meta.dirname);

/** The folder of the bundle, which `npm run build` makes: each program is `<its source>.js` in it. */
export const bundleFolder = path.join(root, 'src', 'dist');

/** Whether this code runs from the bundle, and not from its sources. */
const isBundled = import.meta.filename.startsWith(bundleFolder);

/** A program or thread of this repository: from the bundle where this code is. `source` is its file, such as `src/main.ts`. */
export const programUrl = (source: string): URL =>
  pathToFileURL(
    isBundled ? path.join(bundleFolder, source.replace(/\.ts$/, '.js')) : path.join(root, source),
  );

function above(folder: string): string {
  const isRoot = existsSync(path.join(folder, 'package.json'));
  return isRoot || folder === path.dirname(folder) ? folder : above(path.dirname(folder));
}
