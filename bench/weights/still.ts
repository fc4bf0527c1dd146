import { knotsOf } from './knots.ts';
import { installedMegabytes, productionMegabytes, productionPackages } from './packages.ts';
import { folderImports, folderOf, serviceFiles, textOf } from './source-files.ts';
import { countFiles } from './start.ts';

/** A figure of the repository that is the same on every machine, so that a test can hold it. */
export interface Weight {
  readonly name: string;
  /** The most that the test accepts. A change that needs more says why in its commit. */
  readonly most: number;
  readonly target: number;
  measure(): Promise<number>;
}

const isMigration = (file: string) => file.startsWith('src/migrations/');

/** Programs that operators run at times, and libraries that know nothing of billing. */
const isApart = (file: string) =>
  /^(src\/(tools|cli|engines)|(schema|rest)\/engine)\//.test(file) || file === 'src/tollgate.ts';

async function countLines(isCounted: (file: string) => boolean) {
  const files = (await serviceFiles()).filter((file) => !isMigration(file) && isCounted(file));
  return files.reduce((lines, file) => lines + textOf(file).split('\n').length - 1, 0);
}

async function largestFolder() {
  const counts = new Map<string, number>();
  for (const file of await serviceFiles()) {
    counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

async function foldersInKnots() {
  return knotsOf(await folderImports()).reduce((sum, size) => sum + size, 0);
}

/** The figures that a test holds, in the order of the table. */
export const stillWeights: readonly Weight[] = [
  { name: 'files of code that a start loads', most: 126, target: 300, measure: countFiles },
  { name: 'MB of packages, all', most: 715, target: 600, measure: installedMegabytes },
  { name: 'MB of packages, production', most: 64, target: 64, measure: productionMegabytes },
  {
    name: 'packages, production',
    most: 45,
    target: 45,
    measure: async () => productionPackages(),
  },
  {
    name: 'lines of the service',
    most: 112_000,
    target: 100_000,
    measure: () => countLines((file) => !isApart(file)),
  },
  {
    name: 'lines of tools and engines',
    most: 20_800,
    target: 20_000,
    measure: () => countLines(isApart),
  },
  { name: 'folders that import each other', most: 0, target: 0, measure: foldersInKnots },
  { name: 'files in the largest folder', most: 40, target: 40, measure: largestFolder },
];
