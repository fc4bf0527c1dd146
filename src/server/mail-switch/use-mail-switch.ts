import type { MikroORM } from '@mikro-orm/postgresql';
import type { Plugin } from 'graphql-yoga';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { switchMails } from '#domain/mail/commands/mails/switch-mails.ts';
import { mailSwitchPath, readMailSwitchLink } from '#domain/platform/access/mail-switch-link.ts';
import type { Rate } from '#limits';
import { fieldsOf } from '../http/bounded-body.ts';
import { RateLimit } from '../http/rate-limit.ts';
import type { TextName } from '../portal/texts/en.ts';
import { wordingFor } from '../portal/texts/wording.ts';
import { findSwitch } from './find-switch.ts';
import { messagePage, switchHeaders, switchPage } from './switch-page.ts';

const mostBytes = 4_096;
const start = `${mailSwitchPath}/`;

/**
 * Serves the page where a customer switches one optional kind of mails off and on. The signed link of a mail is the only
 * credential. Reading it changes nothing, because scanners of mails follow links. A program for mails switches off with
 * one POST (RFC 8058), which needs no cookie and is not redirected.
 */
export function useMailSwitch(orm: MikroORM, rate: Rate): Plugin {
  const ofCustomers = new RateLimit(rate);
  return {
    onRequest({ request, url: { pathname }, fetchAPI: { Response }, endResponse }) {
      if (!pathname.startsWith(start)) return;
      return answer().catch(failed).then(endResponse);

      async function answer() {
        const { method } = request;
        if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
          return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
        }
        const link = readMailSwitchLink(pathname.slice(start.length));
        if (!link) return closed();
        const wait = ofCustomers.take(link.customerId);
        if (wait > 0) return message(429, 'manyTitle', 'busyText', { 'retry-after': `${wait}` });
        return method === 'POST' ? submitted(link) : shown(link);
      }

      async function submitted(link: Link) {
        const form = await fieldsOf(request, mostBytes);
        const isOneClick = form?.get('List-Unsubscribe') === 'One-Click';
        const wanted = isOneClick ? 'off' : form?.get('mails');
        if (wanted !== 'off' && wanted !== 'on') return message(400, 'staleTitle', 'staleText');
        const found = await findSwitch(orm, link);
        if (!found) return closed();
        await switchMails(found.session, { customerId: link.customerId, [wanted]: [link.kind] });
        // A reload of the page that follows sends no form.
        if (!isOneClick) return withHeaders(null, 303, { location: pathname.replace(/^.*\//, '') });
        return shown(link);
      }

      async function shown(link: Link) {
        const found = await findSwitch(orm, link);
        if (!found) return closed();
        return withHeaders(switchPage({ ...found, wording: wordingFor(request, found.language) }));
      }

      function failed(error: unknown) {
        const code = error instanceof DomainError ? error.code : undefined;
        // The customer was erased meanwhile.
        if (code === 'NOT_FOUND' || code === 'BAD_REQUEST') return closed();
        if (code !== 'SERVICE_UNAVAILABLE' && databaseFailure(error) === undefined) throw error;
        return message(503, 'busyTitle', 'busyText', { 'retry-after': '1' });
      }

      function closed() {
        return message(403, 'closedTitle', 'mailsClosed');
      }

      function message(status: number, title: TextName, words: TextName, headers: Headers = {}) {
        return withHeaders(messagePage(wordingFor(request), title, words), status, headers);
      }

      function withHeaders(body: string | null, status = 200, headers: Headers = {}) {
        return new Response(body, { status, headers: { ...switchHeaders, ...headers } });
      }
    },
  };
}

type Link = NonNullable<ReturnType<typeof readMailSwitchLink>>;
type Headers = Readonly<Record<string, string>>;
