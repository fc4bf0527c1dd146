/** The oldest server that the service uses, as `server_version_num`; older ones get no security updates. */
export const oldestServer = 150_000;
/** The oldest major version, and the newest one that is tested. */
export const testedMajors = { oldest: oldestServer / 10_000, newest: 18 };

/** The newest minor release of major versions that was known when this version of the service was made. */
const knownMinors: Readonly<Record<number, number>> = { 15: 20, 18: 7 };

/** The origin of a server: the package, this machine, or a server in DATABASE_URL. */
type ServerBuild = 'embedded' | 'machine' | 'external';

/** The version of a server, such as 18.4. */
export interface ServerVersion {
  readonly version: string;
  readonly build: ServerBuild;
  /** The newest known release of the same major version, with its fixes; absent where the server has them. */
  readonly newer?: string;
}

/** The setting by which a server that this service has started states its build. */
export const buildSetting = 'tollgate.build';

/** The columns of a query that {@link serverVersionOf} reads. */
export const serverVersionColumns = `current_setting('server_version_num')::int as "serverNumber", current_setting('${buildSetting}', true) as "serverBuild"`;

/** The answer of a server to {@link serverVersionColumns}. */
export interface ServerAnswer {
  readonly serverNumber: number;
  readonly serverBuild: string | null;
}

/** The version of a server by its own answer. */
export function serverVersionOf({ serverNumber, serverBuild }: ServerAnswer): ServerVersion {
  const major = Math.floor(serverNumber / 10_000);
  const minor = serverNumber % 10_000;
  const known = knownMinors[major] ?? 0;
  return {
    version: `${major}.${minor}`,
    build: serverBuild === 'embedded' || serverBuild === 'machine' ? serverBuild : 'external',
    ...(known > minor && { newer: `${major}.${known}` }),
  };
}

/** The purpose of the package's build, in one sentence. */
export const embeddedPurpose =
  'The embedded PostgreSQL is for development and small installations: it gets fixes only with a new version of its package';
