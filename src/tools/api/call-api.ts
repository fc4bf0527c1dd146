import { addressBelow, serviceAddress } from '../service-address.ts';
import type { Terminal } from '../terminal.ts';
import { UserError } from '../user-error.ts';
import type { ApiCall } from './arguments.ts';
import { readable } from './readable.ts';

/**
 * Calls REST and prints the answer. The exit code is 1 for a refusal. Errors: UserError where the service does not
 * answer.
 */
export async function callApi(call: ApiCall, terminal: Terminal): Promise<number> {
  const { environment, print, tell, input } = terminal;
  const sent = call.body === '-' ? await input() : call.body;
  const response = await answerTo(call, sent, terminal);
  const answer = await response.text();
  print(`${call.raw ? answer : readable(answer)}\n`);
  const duplicates = response.headers.get('usage-duplicates');
  if (duplicates && duplicates !== '0') tell(`Usage-Duplicates: ${duplicates}\n`);
  if (response.ok) return 0;
  tell(`${response.status} ${response.statusText}\n`);
  if (response.status === 401 && !environment.KEY) {
    tell('KEY is not set: export KEY=$(tollgate keys create)\n');
  }
  return 1;
}

async function answerTo(
  { method, path, headers }: ApiCall,
  body: string | undefined,
  { environment }: Terminal,
): Promise<Response> {
  const service = serviceAddress(environment);
  const { KEY: key } = environment;
  try {
    return await fetch(addressBelow(service, pathOf(path)), {
      method,
      headers: [
        ...(key ? [['authorization', `Bearer ${key}`] as const] : []),
        ...(method === 'GET' ? [] : [['content-type', 'application/json'] as const]),
        ...headers,
      ].map(([name, value]): [string, string] => [name, value]),
      ...(body !== undefined && { body }),
    });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    throw new UserError(`${service.origin} does not answer: ${cause?.message || message}`);
  }
}

/** Paths are below `/api/v1`, except those of the service itself. */
function pathOf(path: string): string {
  const rooted = path.startsWith('/') ? path : `/${path}`;
  const isOwn = /^\/(api\/v1|graphql|health|ready)(\/|\?|$)/.test(rooted);
  return isOwn ? rooted : `/api/v1${rooted}`;
}
