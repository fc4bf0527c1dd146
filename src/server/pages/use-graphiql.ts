import type { Plugin } from 'graphql-yoga';
import {
  type DashboardFile,
  type DashboardFiles,
  dashboardIn,
  isPackageMissing,
  notBuilt,
  wantsHtml,
} from '../http/dashboard-files.ts';
import { graphiqlPage } from './graphiql.ts';

/** The file with the page of GraphiQL that the build prepares. */
export const graphiqlFile = 'graphiql.html';

/** Serves GraphiQL at the address of GraphQL to clients that ask for HTML. It needs no key, so its page is prepared. */
export function useGraphiQL(
  isGraph: (url: URL) => boolean,
  files: DashboardFiles = dashboardIn(),
): Plugin {
  let made: Promise<DashboardFile | undefined> | undefined;
  return {
    async onRequest({ request, url, fetchAPI: { Response }, endResponse }) {
      if (request.method !== 'GET' || !isGraph(url) || !wantsHtml(request)) return;
      const accepted = request.headers.get('accept-encoding') ?? '';
      const file = (await files.prepared(graphiqlFile, accepted)) ?? (await page());
      if (!file) return endResponse(new Response(notBuilt, { status: 503 }));
      const { content, encoding } = file;
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        vary: 'Accept, Accept-Encoding',
        ...(encoding && { 'content-encoding': encoding }),
      };
      endResponse(new Response(content, { headers }));
    },
  };

  /** The page where nothing is built, made once; undefined without the package that renders it. */
  function page(): Promise<DashboardFile | undefined> {
    made ??= graphiqlPage().then(
      (text) => ({ content: Buffer.from(text), encoding: undefined }),
      (error) => {
        if (isPackageMissing(error)) return undefined;
        throw error;
      },
    );
    return made;
  }
}
