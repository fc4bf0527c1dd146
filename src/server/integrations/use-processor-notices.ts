import type { MikroORM } from '@mikro-orm/postgresql';
import type { Plugin } from 'graphql-yoga';
import { databaseFailure, logged } from '#domain/kernel/database-failure.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { type Reception, receiveNotice } from '#domain/money/commands/processors/receive-notice.ts';
import { cutBody } from '#rest/engine/body.ts';
import { boundedBytes } from '../http/bounded-body.ts';
import type { Logger } from '../observability/logger.ts';

const path = /^\/processors\/stripe\/(\w+)\/?$/;
const longestBytes = 1024 * 1024;

const answers: Readonly<Record<Reception, readonly [status: number, message: string]>> = {
  accepted: [200, 'Stored'],
  ignored: [200, 'Not needed'],
  refused: [
    400,
    'The signature, the mode or the account does not match: check the signing secret of the endpoint',
  ],
  unknown: [404, 'No processor is connected that sends events here'],
};

/**
 * Takes the events that Stripe sends to `POST /processors/stripe/{organization}`. The bytes are verified as they
 * arrived, and stored; a job reads their objects afterwards, so the answer never waits for work.
 */
export function useProcessorNotices(orm: MikroORM, logger: Logger): Plugin {
  return {
    onRequest({ request, url, fetchAPI: { Response }, endResponse }) {
      const [, organizationId] = path.exec(url.pathname) ?? [];
      if (organizationId === undefined || request.method !== 'POST') return;
      return receive(request, organizationId).then(([status, message]) =>
        endResponse(
          new Response(`${message}\n`, {
            status,
            headers: { 'content-type': 'text/plain; charset=utf-8' },
          }),
        ),
      );
    },
  };

  async function receive(request: Request, organizationId: string) {
    const body = await boundedBytes(request, longestBytes);
    if (body === 'cut') return [400, cutBody] as const;
    if (body === 'too large') return [413, `The body has more than ${longestBytes} bytes`] as const;
    try {
      const signature = request.headers.get('stripe-signature');
      const notice = { kind: 'stripe', organizationId, body, signature } as const;
      return answers[await receiveNotice(orm.em.fork(), notice, await presentOf(orm.em))];
    } catch (error) {
      if (databaseFailure(error) === undefined) throw error;
      // The processor sends it again later.
      logger.warn(logged(error), 'An event of a processor could not be stored');
      return [503, 'The database is busy or unavailable; try again'] as const;
    }
  }
}
