import type { Programs } from '../tools/terminal.ts';
import { completionOf } from './completion.ts';
import { helpOf } from './help.ts';

/** The programs by their name, in the order of the list. */
export const programs: Programs = {
  start: { summary: 'runs the service', load: () => import('./start.ts') },
  cron: { summary: 'runs the scheduled jobs alone', load: () => import('./cron.ts') },
  open: {
    summary: 'prints a link that signs in to the dashboard',
    load: () => import('./open.ts'),
  },
  demo: { summary: 'fills a business with a year of customers', load: () => import('./demo.ts') },
  keys: { summary: 'creates, lists and revokes API keys', load: () => import('./keys.ts') },
  users: { summary: 'invites, lists and resets operators', load: () => import('./users.ts') },
  api: { summary: 'calls REST and prints the answer', load: () => import('./api.ts') },
  tail: { summary: 'prints events as they happen', load: () => import('./tail.ts') },
  listen: {
    summary: 'sends events as webhooks to a local address',
    load: () => import('./listen.ts'),
  },
  catalog: { summary: 'exports, plans and applies catalogs', load: () => import('./catalog.ts') },
  scenario: { summary: 'executes scenarios on test clocks', load: () => import('./scenario.ts') },
  processors: { summary: 'connects accounts of processors', load: () => import('./processors.ts') },
  import: { summary: 'reads an export of another system', load: () => import('./import.ts') },
  doctor: { summary: 'checks an installation', load: () => import('./doctor.ts') },
  books: { summary: 'checks the books of all customers', load: () => import('./books.ts') },
  backup: { summary: 'writes a backup', load: () => import('./backup.ts') },
  restore: { summary: 'makes a database from a backup', load: () => import('./restore.ts') },
  secrets: {
    summary: 'makes and changes keys of stored secrets',
    load: () => import('./secrets.ts'),
  },
  tenant: { summary: 'moves organizations between cells', load: () => import('./tenant.ts') },
  completion: {
    summary: 'prints the completion for a shell',
    load: async () => ({ program: completionOf(programs) }),
  },
  help: {
    summary: 'prints this, or the usage of a program',
    load: async () => ({ program: helpOf(programs) }),
  },
};
