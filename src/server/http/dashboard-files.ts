import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '#root';

/** A file of the build as it is sent: compressed where the client accepts it. */
export interface DashboardFile {
  readonly content: Buffer<ArrayBuffer>;
  readonly encoding: 'br' | 'gzip' | undefined;
}

/** A file that pages of the dashboard load. */
export interface DashboardAsset extends DashboardFile {
  readonly type: string;
}

/** The page of the dashboard. */
interface DashboardPage {
  /** The first segments of the paths that it has. */
  readonly paths: ReadonlySet<string>;
  /** The page, with the mark `<!--base-->` at its beginning. */
  readonly html: string;
}

/**
 * The built dashboard. Its files are read when they are asked for, because a build may replace them while the service
 * runs.
 */
export interface DashboardFiles {
  /** Undefined where the dashboard is not built. */
  page(): Promise<DashboardPage | undefined>;
  /** The texts of its operations by their digests; none where it is not built. */
  documents(): Promise<ReadonlyMap<string, string>>;
  /** A file of its folder `assets`. Undefined for an unknown name. */
  asset(name: string, acceptedEncodings: string): Promise<DashboardAsset | undefined>;
  /** An answer that the build has prepared. Undefined where it is not built. */
  prepared(name: string, acceptedEncodings: string): Promise<DashboardFile | undefined>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The folder into which `npm run build` writes. */
const dashboardFolder = path.join(root, 'dashboard', 'dist');

/** The files of the viewer of the API reference, which the build copies from its package into the folder `docs`. */
export const viewerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const;

/** The dashboard in a folder. */
export function dashboardIn(folder = dashboardFolder): DashboardFiles {
  const read = (...names: string[]) => contentOf(path.join(folder, ...names));
  return {
    async page() {
      const [html, paths] = await Promise.all([read('index.html'), read('pages.json')]);
      if (!html || !paths) return undefined;
      return { html: html.toString(), paths: new Set<string>(JSON.parse(paths.toString())) };
    },
    async documents() {
      const content = await read('documents.json');
      return new Map<string, string>(Object.entries(content ? JSON.parse(content.toString()) : {}));
    },
    async asset(name, accepted) {
      const type = types[path.extname(name)];
      if (!type) return undefined;
      const file = await bestOf(path.join('assets', name), accepted);
      return file && { ...file, type };
    },
    prepared: bestOf,
  };

  /** A file in the best encoding that the client accepts. */
  async function bestOf(name: string, accepted: string): Promise<DashboardFile | undefined> {
    for (const [encoding, ending] of [...encodings, plain]) {
      if (encoding && !isAccepted(encoding, accepted)) continue;
      const content = await read(name + ending);
      if (content) return { content, encoding };
    }
    return undefined;
  }
}

/** The answer where a file is neither built nor made by a package, which only a clone has. */
export const notBuilt =
  'This page is not built. Run `npm run build` where the development packages are installed.\n';

/** Whether an import has failed because its package is not installed. */
export const isPackageMissing = (error: unknown): boolean =>
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );

/** Whether a client asks for a page. */
export const wantsHtml = (request: Request) =>
  request.headers.get('accept')?.includes('text/html') ?? false;

/** The best first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
const plain = [undefined, ''] as const;

const isAccepted = (encoding: string, accepted: string) =>
  new RegExp(`\\b${encoding}\\b(?!;q=0(\\.0*)?(,|$))`).test(accepted);

/** The content of a file; undefined where there is none. */
async function contentOf(file: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
