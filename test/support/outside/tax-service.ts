import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { amountsOf } from '#domain/model/catalog/tax.ts';

/** A question as the service gets it. */
export interface Question {
  readonly type: string;
  readonly date: string;
  readonly currency: string | null;
  readonly taxInclusive: boolean;
  readonly seller: { readonly address: object | null; readonly taxIds: readonly object[] };
  readonly customer: { readonly externalId: string | null; readonly address: object | null };
  readonly lines: readonly {
    readonly line: number;
    readonly amount: number;
    readonly priceId: string | null;
    readonly taxCode: string | null;
  }[];
  readonly reductions: number;
}

/** A request, with what the service does with it. */
interface Call {
  readonly question: Question;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (call: Call, response: http.ServerResponse) => void;

/** A tax service on a port of this machine. Its answer can be replaced; the usual one is right. */
export interface TaxServer extends AsyncDisposable {
  readonly url: string;
  readonly calls: Call[];
  /** The largest number of requests that were open at the same time. */
  readonly most: () => number;
  answer: Answer;
}

/** The right answer: the same tax on each line. */
export function rightAnswer({ lines, reductions, taxInclusive }: Question, ratePercentage = '19') {
  const sum = lines.reduce((total, { amount }) => total + amount, reductions);
  const rule = { taxType: 'vat', ratePercentage, country: 'DE', state: null } as const;
  const { taxAmount } = amountsOf(sum, { ...rule, inclusive: taxInclusive });
  const tax = { name: 'VAT', taxType: 'vat', ratePercentage, country: 'DE' };
  return { taxAmount, lines: lines.map(({ line }) => ({ line, taxes: [tax] })) };
}

/** Answers with JSON. */
export const answering =
  (bodyOf: (question: Question) => unknown): Answer =>
  ({ question }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(bodyOf(question)));
  };

/** Starts a tax service that answers correctly until `answer` is replaced. */
export async function startTaxServer(): Promise<TaxServer> {
  const calls: Call[] = [];
  let [open, most] = [0, 0];
  const server = http.createServer(async (request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const call = { question: JSON.parse(body), headers: request.headers, body };
    calls.push(call);
    started.answer(call, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const started: TaxServer = {
    url: `http://127.0.0.1:${port}/quotes`,
    calls,
    most: () => most,
    answer: answering((question) => rightAnswer(question)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return started;
}
