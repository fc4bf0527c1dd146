import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '#root';

/** Guides on one subject, in reading order. */
export interface GuideGroup {
  readonly title: string;
  /** Names of files in this folder without `.md`; each is also the address below `/docs`. */
  readonly guides: readonly string[];
}

/** Every guide. The first line of its file is its title. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Use the API',
    guides: [
      'getting-started',
      'going-live',
      'rest-conventions',
      'errors',
      'compatibility',
      'safe-changes',
      'graphql-clients',
      'lists',
      'trusted-documents',
      'access-and-limits',
      'browser',
      'events-and-webhooks',
      'audit',
      'live-lists',
      'dry-runs',
      'test-clocks',
      'scenarios',
    ],
  },
  {
    title: 'Bill customers',
    guides: [
      'prices',
      'catalog',
      'currencies',
      'subscriptions',
      'imports',
      'moving-from-stripe',
      'discounts',
      'adjusting',
      'adjustment-rules',
      'usage-and-credits',
      'usage-corrections',
      'alerts',
      'top-ups',
      'prepaid-credits',
      'commitments',
      'one-off-charges',
      'capacity',
      'money-and-dunning',
      'consolidated-invoices',
      'payments',
      'checkout',
      'stripe',
      'payments-by-hand',
      'credit-notes',
      'books',
      'taxes',
      'tax-services',
      'e-invoices',
      'portal',
      'mail',
      'organization-and-revenue',
      'numbers',
    ],
  },
  {
    title: 'Run the service',
    guides: [
      'operating',
      'operators',
      'processors',
      'settings',
      'personal-data',
      'database',
      'history',
      'fail-over',
      'usage-streams',
      'cells',
      'scale',
      'upgrading',
      'secrets',
    ],
  },
];

/** The names of all guides, in reading order. */
export const guideNames: readonly string[] = guideGroups.flatMap(({ guides }) => guides);

/** The Markdown of a guide that `guideNames` lists. */
export const readGuide = (name: string): Promise<string> =>
  readFile(path.join(root, 'rest/guides', `${name}.md`), 'utf8');
