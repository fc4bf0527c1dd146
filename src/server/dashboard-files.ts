import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A file of the dashboard as it is sent: compressed where the client accepts it. */
export interface DashboardFile {
  readonly content: Buffer;
  readonly type: string;
  readonly encoding: 'br' | 'gzip' | undefined;
}

/** The built dashboard. */
export interface DashboardFiles {
  /** The first segments of the paths that its pages have. */
  readonly pages: ReadonlySet<string>;
  /** The page, with the mark `<!--base-->` at its beginning. */
  readonly page: string;
  /** A file of its folder `assets`. Undefined for an unknown name. */
  asset(name: string, acceptedEncodings: string): Promise<DashboardFile | undefined>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The folder into which `npm run build` writes. */
export const dashboardFolder = path.join(import.meta.dirname, '..', '..', 'dashboard', 'dist');

/** The dashboard in a folder; undefined where it is not built. Assets are read when they are asked for. */
export async function openDashboard(folder = dashboardFolder): Promise<DashboardFiles | undefined> {
  let page: string;
  let pages: readonly string[];
  let names: ReadonlySet<string>;
  try {
    page = await readFile(path.join(folder, 'index.html'), 'utf8');
    pages = JSON.parse(await readFile(path.join(folder, 'pages.json'), 'utf8'));
    names = new Set(readdirSync(path.join(folder, 'assets')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return {
    page,
    pages: new Set(pages),
    async asset(name, accepted) {
      const type = types[path.extname(name)];
      if (!type || !names.has(name)) return undefined;
      const encoding = encodingOf(name, accepted, names);
      const file = path.join(folder, 'assets', name + (encoding ? endings[encoding] : ''));
      return { content: await readFile(file), type, encoding };
    },
  };
}

const endings = { br: '.br', gzip: '.gz' } as const;

/** The best encoding that the client accepts and that has been written. */
function encodingOf(name: string, accepted: string, names: ReadonlySet<string>) {
  const isAccepted = (encoding: string) =>
    new RegExp(`\\b${encoding}\\b(?!;q=0(\\.0*)?(,|$))`).test(accepted);
  return (['br', 'gzip'] as const).find(
    (encoding) => isAccepted(encoding) && names.has(name + endings[encoding]),
  );
}
