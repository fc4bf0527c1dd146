import type { Plugin } from 'graphql-yoga';

/**
 * Refuses all unknown paths, in the documented shape of errors. Yoga itself would take any path that ends with the
 * name of its endpoint.
 */
export function useNotFound(graphqlEndpoint: string): Plugin {
  return {
    onRequest({ request, url: { pathname }, fetchAPI: { Response }, endResponse }) {
      if (pathname === graphqlEndpoint || pathname === `${graphqlEndpoint}/`) return;
      if (request.method === 'OPTIONS') return;
      const message = `There is nothing at ${pathname}: REST is below /api/v1, GraphQL at ${graphqlEndpoint}, the documentation at /docs`;
      endResponse(Response.json({ code: 'NOT_FOUND', message, issues: [] }, { status: 404 }));
    },
  };
}
