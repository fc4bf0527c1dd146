import type { MikroORM } from '@mikro-orm/postgresql';
import type { Plugin } from 'graphql-yoga';
import { presentOf } from '#domain/kernel/values/present.ts';
import { paymentMethodTypes } from '#domain/model/platform/payment-method.ts';
import {
  findSandboxConfirmation,
  findSandboxPage,
  type ShownPage,
} from '#domain/money/commands/payments/sandbox-page-session.ts';
import { submitSandboxPage } from '#domain/money/commands/payments/submit-sandbox-page.ts';
import { formOf } from '../http/bounded-body.ts';
import { sandboxHeaders, sandboxPage } from './sandbox-page.ts';

const path = /^\/sandbox\/(pages|confirmations)\/([\w.-]{1,200})$/;
const mostBytes = 4_096;

// Copied into each answer: a response writes its length into the headers that it is given.
const plain = { 'content-type': 'text/plain; charset=utf-8' };
const returned: Readonly<Record<string, string>> = {
  '/payments/returned': 'Thank you. You can close this page.\n',
  '/payments/canceled': 'Nothing was paid. You can close this page.\n',
};

/**
 * Serves the pages of the sandbox, where a customer of test mode enters a payment method or confirms a payment. Serves
 * also the page that customers return to.
 */
export function useSandboxPages(orm: MikroORM): Plugin {
  return {
    onRequest({ request, url: { pathname }, fetchAPI: { Response }, endResponse }) {
      const text = returned[pathname];
      if (text && request.method === 'GET')
        return endResponse(new Response(text, { headers: { ...plain } }));
      const [, kind, reference = ''] = path.exec(pathname) ?? [];
      if (!kind || (request.method !== 'GET' && request.method !== 'POST')) return;
      return answer().then(endResponse);

      async function answer() {
        // Read before the database is asked: nothing is executed for a form that did not arrive whole.
        const form = request.method === 'POST' ? await choiceOf(request) : undefined;
        if (request.method === 'POST' && !form) {
          return new Response('Send the form of the page\n', {
            status: 400,
            headers: { ...plain },
          });
        }
        const now = await presentOf(orm.em);
        const find = kind === 'pages' ? findSandboxPage : findSandboxConfirmation;
        const page = await find(orm.em, reference, now);
        if (!page) {
          return new Response('There is no such page of the sandbox\n', {
            status: 404,
            headers: { ...plain },
          });
        }
        if (!form) return html(page);
        const problem = await submitSandboxPage(page, form);
        return html((await find(orm.em, reference, now)) ?? page, problem);
      }

      function html(page: ShownPage, problem?: string) {
        const parts = { ...page, types: paymentMethodTypes, problem };
        return new Response(sandboxPage(parts), { headers: { ...sandboxHeaders } });
      }
    },
  };
}

async function choiceOf(request: Request) {
  const form = await formOf(request, mostBytes);
  if (!form) return undefined;
  const action = form.get('action');
  if (action !== 'confirm' && action !== 'refuse') return undefined;
  const [token, type] = [form.get('token') ?? '', form.get('type') ?? ''];
  return { token, type, confirms: action === 'confirm' };
}
