import type { Plugin } from 'graphql-yoga';

const year = 365 * 24 * 60 * 60;

const everywhere = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
const ofJson = { 'cache-control': 'no-store' };

const isSecure = (publicUrl: string | undefined) =>
  publicUrl !== undefined && new URL(publicUrl).protocol === 'https:';

const headersOfAll = (publicUrl: string | undefined) => ({
  ...everywhere,
  ...(isSecure(publicUrl) && { 'strict-transport-security': `max-age=${year}` }),
});

/**
 * The headers of a JSON answer. An answer that is made with all of them is written in one call, without a copy of its
 * headers.
 */
export const jsonHeaders = (publicUrl: string | undefined): Readonly<Record<string, string>> => ({
  ...headersOfAll(publicUrl),
  ...ofJson,
});

/** The sources that a page may load: its own files, and styles that its scripts write. */
const pagePolicy = (connect: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src ${connect}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** GraphiQL is one file with inline scripts, and starts workers from its own text. Development only. */
const graphiqlPolicy = `default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * Sets headers that keep browsers from misreading, storing or framing an answer. Also sets HSTS
 * where the service is reached over https, and the challenge that belongs to each 401. Headers of
 * the answer itself take precedence.
 */
export function useAnswerHeaders({
  graphqlEndpoint,
  publicUrl,
  ofCaller,
}: {
  readonly graphqlEndpoint: string;
  readonly publicUrl: string | undefined;
  /** The headers that depend on who has asked. */
  readonly ofCaller: (request: Request) => Readonly<Record<string, string>>;
}): Plugin {
  const origin = publicUrl ? new URL(publicUrl).origin : '';
  const always = Object.entries(headersOfAll(publicUrl));
  const docsPolicy = pagePolicy(`'self' ${origin}`.trim());

  const further = (path: string, type: string): Record<string, string> => {
    if (type.includes('json')) return ofJson;
    if (type.startsWith('application/pdf')) {
      return { 'content-security-policy': "frame-ancestors 'none'" };
    }
    if (!type.startsWith('text/html')) return {};
    const isGraphiQL = path === graphqlEndpoint || path === `${graphqlEndpoint}/`;
    return { 'content-security-policy': isGraphiQL ? graphiqlPolicy : docsPolicy };
  };

  return {
    onResponse({ request, response: { headers, status } }) {
      const set = (name: string, value: string) => headers.has(name) || headers.set(name, value);
      for (const [name, value] of always) set(name, value);
      for (const [name, value] of Object.entries(ofCaller(request))) set(name, value);
      const type = headers.get('content-type') ?? '';
      const path = type.startsWith('text/html') ? new URL(request.url).pathname : '';
      for (const [name, value] of Object.entries(further(path, type))) set(name, value);
      if (status === 401) set('www-authenticate', 'Bearer realm="Tollgate"');
    },
  };
}
