import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { receiverPort, serviceAddress } from '../src/tools/service-address.ts';

/**
 * Receives webhooks and prints one line for each: whether its signature is valid, and the event. `npm run -s receiver
 * -- <secret> [port]`; the secret may also be in WEBHOOK_SECRET. The default port is the one after the service's,
 * which URL or PORT name.
 */
const largestBodyBytes = 1024 * 1024;
// biome-ignore lint/style/noProcessEnv: the tools of this repository share an address and a secret
const environment = process.env;
const [
  secret = environment.WEBHOOK_SECRET,
  port = String(receiverPort(serviceAddress(environment))),
] = process.argv.slice(2);
const webhook = secret ? new Webhook(secret) : undefined;

if (webhook) {
  createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > largestBodyBytes) return void response.writeHead(413).end();
      chunks.push(chunk);
    }
    // The signature covers the raw bytes, so it is verified before they are parsed.
    const body = Buffer.concat(chunks).toString('utf8');
    const problem = problemOf(body, request.headers as Record<string, string>, webhook);
    print(problem === undefined ? `verified ${told(body)}` : `REFUSED (${problem})`);
    response.writeHead(problem === undefined ? 204 : 401).end();
  }).listen(Number(port), '127.0.0.1', () => {
    print(`Waiting for webhooks at http://127.0.0.1:${port}`);
  });
} else {
  process.stderr.write('Usage: npm run -s receiver -- <signing secret> [port]\n');
  process.exitCode = 1;
}

/** Why a delivery is not authentic; undefined when it is. */
function problemOf(body: string, headers: Record<string, string>, webhook: Webhook) {
  try {
    webhook.verify(body, headers);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function told(body: string): string {
  const { type, sequence, objectId, data } = JSON.parse(body);
  return `${type} #${sequence} ${objectId} ${JSON.stringify(data)}`;
}

function print(line: string) {
  process.stdout.write(`${line}\n`);
}
