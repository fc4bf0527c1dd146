import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { expect, test } from 'vitest';
import { get, type RouteOptions } from '#rest/engine/route.ts';
import { useRest } from '#rest/engine/use-rest.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';

const version = { type: new GraphQLNonNull(GraphQLString), resolve: () => '1' };
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { version } }),
});

const deprecated = {
  since: '2027-01-31',
  sunset: '2028-02-01',
  successor: '/api/v1/newer',
} as const;
const announced = {
  deprecation: '@1801353600',
  sunset: 'Tue, 01 Feb 2028 00:00:00 GMT',
  link: '</api/v1/newer>; rel="successor-version"',
};

/** The headers of an answer of an endpoint that announce something, and its status. */
async function answerOf(options: RouteOptions, path: string, prefer?: string) {
  const route = get('/version', 'query GetVersion { version }', options);
  const rest = useRest([route], schema, {
    contextOf: async (asked) => asked,
    expected: () => ({}),
    checkAccess: () => {},
    isRestricted: () => false,
    headersOf: () => ({}),
    mask: (error) => error,
  });
  const yoga = createYoga({ schema, plugins: [rest], logging: false });
  const headers = prefer === undefined ? {} : { prefer };
  const answer = await yoga.fetch(`http://test/api/v1${path}`, { headers });
  const names = ['deprecation', 'sunset', 'link'].filter((name) => answer.headers.has(name));
  return {
    status: answer.status,
    ...Object.fromEntries(names.map((name) => [name, answer.headers.get(name)])),
  };
}

test('an answer of a deprecated endpoint announces it, a refusal too', async () => {
  expect(await answerOf({ deprecated }, '/version')).toEqual({ status: 200, ...announced });
  expect(await answerOf({ deprecated }, '/version?a=1')).toEqual({ status: 400, ...announced });
  expect(await answerOf({}, '/version')).toEqual({ status: 200 });
});

test('a deprecated rendering is announced to those who get it', async () => {
  const legacy = { omit: [], deprecated };
  expect(await answerOf({ legacy }, '/version')).toEqual({ status: 200, ...announced });
  const current = await answerOf({ legacy }, '/version', 'rendering=current');
  expect(current).toEqual({ status: 200 });
});

test('a deprecated endpoint keeps its own link', async () => {
  const rest = () => '/versions';
  expect(await answerOf({ deprecated, rest }, '/version')).toMatchObject({
    link: `</api/v1/versions>; rel="collection", ${announced.link}`,
  });
});

test('the OpenAPI document marks a deprecated endpoint', () => {
  const routes = [get('/version', 'query GetVersion { version }', { deprecated })];
  expect(openApiOf(routes, schema)).toMatchObject({
    paths: { '/api/v1/version': { get: { deprecated: true } } },
  });
});
