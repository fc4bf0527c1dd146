import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '#config';
import { Environment } from '../../../src/settings/environment.ts';

// biome-ignore lint/suspicious/noExplicitAny: a recipe's shape is what the test is about
type Json = any;

const folder = 'src/deploy';
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

/** The documents of a recipe, with merged keys. */
const documentsIn = (file: string): Json[] =>
  parseAllDocuments(read(file), { merge: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });

const [compose] = documentsIn('compose.yaml');
const kubernetes = documentsIn('kubernetes.yaml');
const ofKind = (kind: string) => kubernetes.find((document) => document.kind === kind);

const settings = {
  'compose.yaml': Object.keys(compose.services.tollgate1.environment),
  'kubernetes.yaml': Object.keys(ofKind('Secret').stringData),
};

test.for(Object.entries(settings))('%s sets only settings that the service has', ([, names]) => {
  expect(names.filter((name) => !(name in Environment.shape))).toEqual([]);
  expect(names).toContain('DATABASE_URL');
  expect(names).toContain('SECRETS_KEY');
});

test('a pod has the time to drain, to end its requests and its longest statement', () => {
  const { template } = ofKind('Deployment').spec;
  const { drainSeconds } = readConfig({
    NODE_ENV: 'production',
    DATABASE_URL: 'postgresql://database.example/tollgate',
    PUBLIC_URL: 'https://billing.example.com',
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  });
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + 10 + 15);
  const [container] = template.spec.containers;
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  expect(periodSeconds * failureThreshold).toBeLessThan(drainSeconds);
});

test('the objects of Kubernetes select the pods, and name the port of the container', () => {
  const { template, selector } = ofKind('Deployment').spec;
  const [container] = template.spec.containers;
  const ports = container.ports.map(({ name }: { name: string }) => name);
  for (const labels of [
    selector.matchLabels,
    ofKind('Service').spec.selector,
    ofKind('PodDisruptionBudget').spec.selector.matchLabels,
  ])
    expect(template.metadata.labels).toEqual(labels);
  expect(ports).toContain(ofKind('Service').spec.ports[0].targetPort);
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
    expect(ports).toContain(container[probe].httpGet.port);
  expect(container.envFrom[0].secretRef.name).toBe(ofKind('Secret').metadata.name);
});

test('each file of the recipes is named in a guide', () => {
  const guides = readdirSync('rest/guides').map((file) =>
    readFileSync(path.join('rest/guides', file), 'utf8'),
  );
  const unnamed = readdirSync(folder)
    .filter((file) => !file.endsWith('.dockerignore'))
    .filter((file) => !guides.some((guide) => guide.includes(file)));
  expect(unnamed).toEqual([]);
});
