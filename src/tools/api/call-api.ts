import { text } from 'node:stream/consumers';
import { environment, serviceAddress } from '../service-address.ts';
import { readable } from './readable.ts';

/**
 * Calls the REST interface and prints the response for people: indented, with dates in ISO 8601. `KEY=… npm run -s
 * api -- GET /customers`, `npm run -s api -- POST /customers '{"customer": …}'`. The body `-` is read from standard
 * input, `--raw` prints the response as it is. The exit code is 1 for a refusal.
 */
const usage =
  'Usage: npm run -s api -- METHOD PATH [JSON|-] [--raw] [--header "Name: value"], with KEY and URL (or PORT) in the environment\n';

const given = process.argv.slice(2);
const raw = given.includes('--raw');
const headers: [string, string][] = [];
const words: string[] = [];
for (let place = 0; place < given.length; place++) {
  const word = given[place] ?? '';
  if (word === '--header') headers.push(headerOf(given[++place] ?? ''));
  else if (word !== '--raw') words.push(word);
}
const [method = '', path = '', body] = words;

if (!/^[a-z]+$/i.test(method) || path === '' || words.length > 3) {
  process.stderr.write(usage);
  process.exitCode = 1;
} else {
  await call();
}

async function call() {
  const address = addressOf(path);
  const sent = body === '-' ? await text(process.stdin) : body;
  try {
    const response = await fetch(address, {
      method: method.toUpperCase(),
      headers: [
        ...(environment.KEY ? [['authorization', `Bearer ${environment.KEY}`]] : []),
        ...(method.toUpperCase() === 'GET' ? [] : [['content-type', 'application/json']]),
        ...headers,
      ] as [string, string][],
      ...(sent !== undefined && { body: sent }),
    });
    const answer = await response.text();
    process.stdout.write(`${raw ? answer : readable(answer)}\n`);
    const duplicates = response.headers.get('usage-duplicates');
    if (duplicates && duplicates !== '0') process.stderr.write(`Usage-Duplicates: ${duplicates}\n`);
    if (response.ok) return;
    process.stderr.write(`${response.status} ${response.statusText}\n`);
    if (response.status === 401 && !environment.KEY) {
      process.stderr.write('KEY is not set: export KEY=$(npm run -s keys -- create)\n');
    }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    process.stderr.write(`${address.origin} does not answer: ${cause?.message || message}\n`);
  }
  process.exitCode = 1;
}

/** Paths are below `/api/v1`, except those of the service itself. */
function addressOf(path: string): URL {
  const base = serviceAddress().href.replace(/\/$/, '');
  const rooted = path.startsWith('/') ? path : `/${path}`;
  const own = /^\/(api\/v1|graphql|health|ready)(\/|\?|$)/.test(rooted);
  return new URL(`${base}${own ? '' : '/api/v1'}${rooted}`);
}

function headerOf(line: string): [string, string] {
  const [name = '', ...value] = line.split(':');
  return [name.trim(), value.join(':').trim()];
}
