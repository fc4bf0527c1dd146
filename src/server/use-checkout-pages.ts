import { setTimeout } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Plugin } from 'graphql-yoga';
import { continueCheckout } from '#domain/checkout-sessions/execute-checkout.ts';
import { type FoundCheckout, findCheckout } from '#domain/checkout-sessions/find-checkout.ts';
import { isExecuting, readCheckout } from '#domain/checkout-sessions/read-checkout.ts';
import { submitCheckout } from '#domain/checkout-sessions/submit-checkout.ts';
import { submitInput } from '#domain/checkout-sessions/submit-input.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { presentOf } from '#domain/kernel/present.ts';
import { TaxServiceFailed } from '#domain/rules/taxing/tax-service-failed.ts';
import { formOf } from './bounded-body.ts';
import type { CheckoutPageParts } from './checkout/checkout-page.ts';
import { style } from './checkout/style.ts';
import type { Logger } from './logger.ts';
import { headersOf } from './pages/html-page.ts';

const path = /^\/checkout\/(chckt_session_\w{1,60})$/;
const mostBytes = 16_384;

// The address of a session contains its key, so no other place learns it.
const headers = headersOf(style, 'no-referrer');

const plain = { 'content-type': 'text/plain; charset=utf-8' };

/** How often, and how long, the page of a card that is being charged waits for the outcome. */
const mostLooks = 10;
const lookMilliseconds = 300;

type Further = Partial<
  Pick<CheckoutPageParts, 'values' | 'problems' | 'problem' | 'nextUrl' | 'isUnread'>
>;

/** Serves the pages of checkout sessions to customers, who have the address of the session and no key. */
export function useCheckoutPages(orm: MikroORM, logger: Logger): Plugin {
  const onFailure = (error: unknown, row: object) =>
    logger.error({ err: error, ...row }, 'checkout');

  return {
    onRequest({ request, url, fetchAPI: { Response }, endResponse }) {
      const [, id] = path.exec(url.pathname) ?? [];
      if (!id || (request.method !== 'GET' && request.method !== 'POST')) return;
      return answer(id).catch(untaxed).then(endResponse);

      async function answer(id: string) {
        // Read before the database is asked: nothing is executed for a form that did not arrive whole.
        const values = request.method === 'POST' ? await valuesOf(request) : undefined;
        if (request.method === 'POST' && !values) return noForm();
        const found = await find(id);
        if (!found) return unknown();
        return values ? submit(found, id, values) : show(found, id);
      }

      function noForm() {
        return new Response('Send the form of the page\n', { status: 400, headers: { ...plain } });
      }

      /** Without its taxes no page can state what is to be paid. */
      async function untaxed(error: unknown) {
        if (!(error instanceof TaxServiceFailed)) throw error;
        onFailure(error, { id });
        const { untaxedPage } = await import('./checkout/checkout-page.ts');
        const retry = { 'retry-after': String(error.retryAfter) };
        return new Response(untaxedPage(), { status: 503, headers: { ...headers, ...retry } });
      }

      async function unknown() {
        const { unknownPage } = await import('./checkout/checkout-page.ts');
        return new Response(unknownPage(), { status: 404, headers: { ...headers } });
      }

      async function find(id: string) {
        const key = url.searchParams.get('key') ?? '';
        return findCheckout(orm.em, { id, key, now: await presentOf(orm.em), onFailure });
      }

      async function show({ session, checkout }: FoundCheckout, id: string) {
        const isBack = url.searchParams.has('setup') && checkout.status === 'open';
        if (!isBack && checkout.status !== 'pending') return page(id);
        let problem: string | null = null;
        let isUnread = false;
        await continueCheckout(session, id).catch((error: unknown) => {
          if (error instanceof TaxServiceFailed) throw error;
          onFailure(error, { id });
          if (error instanceof DomainError) problem = textOf(error);
          else isUnread = true;
        });
        if (url.searchParams.has('setup')) await untilDecided(id);
        return page(id, { problem, isUnread });
      }

      /** Waits a moment for another tab of the same return, which executes the payment. */
      async function untilDecided(id: string) {
        for (let looks = 0; looks < mostLooks; looks++) {
          const found = await find(id);
          if (!found || !(await isExecuting(found.session, found.checkout))) return;
          await setTimeout(lookMilliseconds);
        }
      }

      async function submit(
        { session }: FoundCheckout,
        id: string,
        values: Record<string, string>,
      ) {
        const form = submitInput.safeParse({ ...empty, ...values });
        if (!form.success) {
          const problems = Object.fromEntries(
            form.error.issues.map(({ path, message }) => [String(path[0]), message]),
          );
          return page(id, { values, problems }, 400);
        }
        try {
          const { url: nextUrl } = await submitCheckout(session, id, form.data);
          if (nextUrl) return await page(id, { values, nextUrl });
        } catch (error) {
          if (error instanceof TaxServiceFailed) throw error;
          if (!(error instanceof DomainError)) onFailure(error, { id });
          const problem =
            error instanceof DomainError ? textOf(error) : 'Something went wrong. Try again.';
          return page(id, { values, problem }, error instanceof DomainError ? 400 : 500);
        }
        // A reload of the page that follows sends no form.
        const location = `?key=${encodeURIComponent(url.searchParams.get('key') ?? '')}`;
        return new Response(null, {
          status: 303,
          headers: { ...headers, location: `${url.pathname}${location}` },
        });
      }

      async function page(id: string, further: Further = {}, status = 200) {
        const found = await find(id);
        if (!found) return unknown();
        const { session, checkout } = found;
        const shown = await readCheckout(session, checkout);
        const { checkoutPage } = await import('./checkout/checkout-page.ts');
        const { problems = {}, values = {}, nextUrl = null, isUnread = false } = further;
        // Wrong fields hide the problem of an earlier card.
        const earlier = Object.keys(problems).length > 0 ? null : checkout.problem;
        const parts = {
          ...shown,
          problem: further.problem ?? earlier ?? null,
          problems,
          isUnread,
          values: { ...shown.values, ...values },
          nextUrl: shown.status === 'open' ? nextUrl : null,
        };
        const code = ['expired', 'failed'].includes(shown.status) ? 410 : status;
        return new Response(checkoutPage(parts), { status: code, headers: { ...headers } });
      }
    },
  };
}

const empty = {
  email: '',
  name: '',
  line1: '',
  line2: '',
  city: '',
  state: '',
  postal_code: '',
  country: '',
  token: '',
  type: 'card',
};

/** The message of a refusal for people: that of its first problem, which is more specific than its headline. */
const textOf = ({ message, issues }: DomainError) => issues[0]?.message ?? message;

async function valuesOf(request: Request): Promise<Record<string, string> | undefined> {
  const form = await formOf(request, mostBytes);
  return form && Object.fromEntries(form);
}
