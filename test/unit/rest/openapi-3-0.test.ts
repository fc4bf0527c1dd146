import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { routes } from '#rest/index.ts';
import { openApiOf } from '#rest/openapi/openapi.ts';
import { openApi30Of } from '#rest/openapi/openapi-3-0.ts';
import { schema } from '#schema/index.ts';

const newer = JSON.parse(JSON.stringify(openApiOf(routes, schema)));
const older = JSON.parse(JSON.stringify(openApi30Of(newer)));

/** Describes a schema as the one answer of an operation, and takes it from the description in 3.0. */
function converted(described: object) {
  const paths = {
    '/': { get: { responses: { 200: { content: { json: { schema: described } } } } } },
  };
  const schemas = { One: { type: 'object' }, Any: {} };
  const info = { license: { name: 'none' } };
  const { paths: found } = openApi30Of({ info, paths, components: { schemas } }) as {
    paths: typeof paths;
  };
  return found['/'].get.responses[200].content.json.schema;
}

test('the description in 3.0 is valid OpenAPI 3.0', async () => {
  const validator = new Validator();
  await expect(validator.validate(structuredClone(older))).resolves.toEqual({ valid: true });
  expect(validator.version).toBe('3.0');
  // A license that is in no list has no address.
  const rules = { 'info-license-strict': 'off' } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const source = JSON.stringify(older);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test('the description in 3.0 has the same operations and schemas, and no word of 3.1', () => {
  const operationsOf = ({ paths }: typeof newer) =>
    Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods as object)]);
  expect(operationsOf(older)).toEqual(operationsOf(newer));
  const names = Object.keys(newer.components.schemas).filter((name) => name !== 'WebhookEvent');
  expect(Object.keys(older.components.schemas)).toEqual(names);
  const text = JSON.stringify(older);
  expect(text).not.toMatch(/"type":(\[|"null")|"const":|"identifier":/);
  expect(text).not.toMatch(/"\$ref":"[^"]+",|,"\$ref"/);
});

test.for([
  ['Apache-2.0', { name: 'L', url: 'https://spdx.org/licenses/Apache-2.0.html' }],
  ['LicenseRef-own', { name: 'L' }],
  ['MIT OR Apache-2.0', { name: 'L' }],
] as const)('the license %s is %j in 3.0', ([identifier, license]) => {
  const info = { license: { name: 'L', identifier } };
  expect(openApi30Of({ info, components: { schemas: {} } })).toMatchObject({ info: { license } });
});

test.for([
  [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [{ type: ['string', 'integer'] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
  [{ const: 'usd' }, { enum: ['usd'] }],
  [
    { type: 'string', examples: ['a', 'b'] },
    { type: 'string', example: 'a' },
  ],
  [
    { $ref: '#/components/schemas/One', description: 'One' },
    { allOf: [{ $ref: '#/components/schemas/One' }], description: 'One' },
  ],
  [
    { anyOf: [{ $ref: '#/components/schemas/One' }, { type: 'null' }], description: 'One' },
    {
      ...{ type: 'object', nullable: true, allOf: [{ $ref: '#/components/schemas/One' }] },
      description: 'One',
    },
  ],
  [
    { anyOf: [{ $ref: '#/components/schemas/Any' }, { type: 'null' }], description: 'Any' },
    { allOf: [{ $ref: '#/components/schemas/Any' }], description: 'Any' },
  ],
  [
    { anyOf: [{ type: 'string', const: '' }, { type: 'null' }] },
    { type: 'string', enum: [''], nullable: true },
  ],
  [
    { anyOf: [{ type: 'string' }, { type: ['integer', 'null'] }, { type: 'null' }] },
    {
      anyOf: [
        { type: 'string', nullable: true },
        { type: 'integer', nullable: true },
      ],
    },
  ],
  [
    { type: 'object', properties: { type: { type: ['array', 'null'], items: { const: 1 } } } },
    {
      type: 'object',
      properties: { type: { type: 'array', nullable: true, items: { enum: [1] } } },
    },
  ],
  [
    { type: 'object', additionalProperties: { type: ['boolean', 'null'] } },
    { type: 'object', additionalProperties: { type: 'boolean', nullable: true } },
  ],
])('%j is %j in 3.0', ([described, expected]) => {
  expect(converted(described as object)).toEqual(expected);
});
