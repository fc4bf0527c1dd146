import { type Config, ConfigError } from '#config';
import { notoNames, packageOf } from '../documents/pdf/noto-names.ts';

/** The packages that an installation may leave out (`npm ci --omit=optional`), by what needs them. */
const packages = {
  history: ['@duckdb/node-api'],
  fonts: notoNames.map(packageOf),
} as const;

/** How a package of this installation is looked up. */
export type IsInstalled = (name: string) => boolean;

/**
 * The folder of the history where its package is installed. Where the folder is the usual one and the package is
 * missing, there is no history, and `warn` hears of it, as of missing fonts. Errors: ConfigError for a folder that is
 * set without the package.
 */
export function usableHistory(
  { historyDir, databaseUrl }: Pick<Config, 'historyDir' | 'databaseUrl'>,
  warn: (line: string) => void,
  isInstalled: IsInstalled = isHere,
): string | undefined {
  const fonts = packages.fonts.filter((name) => !isInstalled(name));
  if (fonts.length > 0) {
    warn(`Documents show U+FFFD for letters whose fonts are missing. They need ${absent(fonts)}`);
  }
  const missing = packages.history.filter((name) => !isInstalled(name));
  if (historyDir === undefined || missing.length === 0) return historyDir;
  // With DATABASE_URL the folder has no default.
  if (databaseUrl) throw new ConfigError(`HISTORY_DIR needs ${absent(missing)}`);
  warn(`Old months of usage stay in the database. Their files need ${absent(missing)}`);
  return undefined;
}

const absent = (names: readonly string[]) =>
  `the optional ${names.length > 1 ? 'packages' : 'package'} ${names.join(', ')}: run npm ci without --omit=optional`;

function isHere(name: string): boolean {
  try {
    // The folder is enough: the packages are loaded by their first use. Fonts have no main file.
    import.meta.resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
}
