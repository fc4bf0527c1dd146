import { setTimeout } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Plugin } from 'graphql-yoga';
import { TaxServiceFailed } from '#domain/catalog/taxing/tax-service-failed.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import type { EnteredTaxFacts } from '#domain/model/platform/parties.ts';
import { enterCode, removeCode } from '#domain/money/commands/checkout-sessions/enter-code.ts';
import {
  enteredTaxFacts,
  type TaxIdFault,
} from '#domain/money/commands/checkout-sessions/entered-tax-facts.ts';
import { continueCheckout } from '#domain/money/commands/checkout-sessions/execute-checkout.ts';
import {
  type FoundCheckout,
  findCheckout,
} from '#domain/money/commands/checkout-sessions/find-checkout.ts';
import {
  isExecuting,
  knownValues,
  readCheckout,
  type ShownCheckout,
} from '#domain/money/commands/checkout-sessions/read-checkout.ts';
import {
  AmountChanged,
  submitCheckout,
} from '#domain/money/commands/checkout-sessions/submit-checkout.ts';
import {
  submitInput,
  taxFactsInput,
} from '#domain/money/commands/checkout-sessions/submit-input.ts';
import { formOf } from '../http/bounded-body.ts';
import { RateLimit } from '../http/rate-limit.ts';
import type { Logger } from '../observability/logger.ts';
import { html } from '../pages/html.ts';
import { headersOf } from '../pages/html-page.ts';
import type { CheckoutPageParts } from './checkout-page.ts';
import { codeProblems } from './code-problems.ts';
import type { Values } from './form-part.ts';
import { usualToken } from './sandbox-part.ts';
import { style } from './style.ts';
import type { CheckoutWording } from './texts/checkout-wording.ts';
import type { CheckoutTextName } from './texts/en.ts';

const path = /^\/checkout\/(chckt_session_\w{1,60})$/;
const mostBytes = 16_384;

// The address of a session contains its key, so no other place learns it.
const headers = headersOf(style, 'no-referrer');

const plain = { 'content-type': 'text/plain; charset=utf-8' };

/** How often, and how long, the page of a card that is being charged waits for the outcome. */
const mostLooks = 10;
const lookMilliseconds = 300;

/** How many wrong codes a session may try at once and in the long run, so that codes cannot be guessed. */
const guesses = { perSecond: 1 / 10, burst: 10 };

/** The fields of the form that the customer does not type. */
const controls: readonly string[] = ['action', 'shown', 'type'];

/** The buttons that show the page again and charge nothing. */
const steps: readonly string[] = ['apply-code', 'remove-code', 'update'];

type Further = Partial<Pick<CheckoutPageParts, 'values' | 'nextUrl' | 'isUnread' | 'isChanged'>> & {
  /** The facts about taxes that were entered, which the amounts follow. */
  readonly facts?: EnteredTaxFacts | null;
  /** The fault of the entered tax id. */
  readonly fault?: TaxIdFault | null;
  /** Why the entered code cannot be used. */
  readonly codeProblem?: keyof typeof codeProblems | null;
  /** The reason of a refusal; true where there is none for people. */
  readonly problem?: string | true | null;
  /** The fields that cannot be accepted. */
  readonly wrong?: readonly string[];
  /** Whether the customer has changed the order, and has not confirmed it. */
  readonly isStep?: boolean;
};

/** Serves the pages of checkout sessions to customers, who have the address of the session and no key. */
export function useCheckoutPages(orm: MikroORM, logger: Logger): Plugin {
  const guessing = new RateLimit(guesses);
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
        const { untaxedPage } = await import('./checkout-page.ts');
        const wording = await wordingOf(null);
        const retry = { 'retry-after': String(error.retryAfter) };
        return new Response(untaxedPage(wording), {
          status: 503,
          headers: { ...headers, ...retry },
        });
      }

      async function unknown() {
        const { unknownPage } = await import('./checkout-page.ts');
        const wording = await wordingOf(null);
        return new Response(unknownPage(wording), { status: 404, headers: { ...headers } });
      }

      // Loaded with the first page.
      async function wordingOf(language: string | null) {
        const { checkoutWordingFor } = await import('./texts/checkout-wording.ts');
        return checkoutWordingFor(request, language);
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

      async function submit({ session }: FoundCheckout, id: string, values: Values) {
        const action = values.action ?? '';
        const entered = taxFactsInput.safeParse({ ...empty, ...values });
        const form = submitInput.safeParse({ ...empty, ...values });
        const read = entered.success ? enteredTaxFacts({ ...values, ...entered.data }) : null;
        const facts = read?.facts ?? null;
        const kept = { values, facts, fault: read?.fault ?? null };
        const codeProblem = await changeCode(session, id, action, values.code ?? '');
        const isStep = steps.includes(action);
        const { issues = [] } = (isStep ? entered : form).error ?? {};
        const wrong = issues.map(({ path }) => String(path[0]));
        const isRefused = codeProblem !== null || read?.fault != null || wrong.length > 0;
        if (isStep && !isRefused && (await isKnown(id, values))) return toPage();
        if (isRefused || isStep || !form.success)
          return page(id, { ...kept, codeProblem, wrong, isStep }, isRefused ? 400 : 200);
        try {
          const { url: nextUrl } = await submitCheckout(session, id, form.data);
          if (nextUrl) return await page(id, { ...kept, nextUrl });
        } catch (error) {
          if (error instanceof TaxServiceFailed) throw error;
          if (error instanceof AmountChanged) return page(id, { ...kept, isChanged: true });
          if (!(error instanceof DomainError)) onFailure(error, { id });
          const problem = error instanceof DomainError ? textOf(error) : true;
          return page(id, { ...kept, problem }, error instanceof DomainError ? 400 : 500);
        }
        return toPage();
      }

      /** Whether a form has no text that only its page has, so that the page can be read anew. */
      async function isKnown(id: string, values: Values): Promise<boolean> {
        const found = await find(id);
        if (found?.checkout.status !== 'open') return true;
        const known: Values = { token: usualToken, ...(await knownValues(found.checkout)) };
        const kept = values.action === 'apply-code' ? [...controls, 'code'] : controls;
        return Object.entries(values).every(
          ([name, typed]) => kept.includes(name) || typed.trim() === (known[name] ?? ''),
        );
      }

      /** Leads to the page: a reload, and a step back to it, send no form. */
      function toPage() {
        const location = `?key=${encodeURIComponent(url.searchParams.get('key') ?? '')}`;
        return new Response(null, {
          status: 303,
          headers: { ...headers, location: `${url.pathname}${location}` },
        });
      }

      /** Applies a typed code also where the form is confirmed, so that it is not lost. Returns why it cannot be used. */
      async function changeCode(session: Session, id: string, action: string, typed: string) {
        if (action === 'remove-code') {
          await removeCode(session, id);
          return null;
        }
        if (action === 'update') return null;
        if (typed.trim() === '') return action === 'apply-code' ? 'empty' : null;
        // Taken before the code is looked up, so that requests at the same time share the limit.
        if (guessing.take(id) > 0) return 'guessed';
        const obstacle = await enterCode(session, id, typed);
        if (obstacle !== 'unknown') guessing.restore(id);
        return obstacle;
      }

      async function page(id: string, further: Further = {}, status = 200) {
        const found = await find(id);
        if (!found) return unknown();
        const { session, checkout } = found;
        const { facts = null, fault = null, codeProblem = null } = further;
        const shown = await readCheckout(session, checkout, facts);
        const { checkoutPage } = await import('./checkout-page.ts');
        const wording = await wordingOf(shown.language);
        const { wrong = [], values = {}, nextUrl = null, isUnread = false } = further;
        const { text } = wording;
        const problems = {
          ...Object.fromEntries(
            wrong.map((name) => [name, text(problemsOf[name] ?? 'fieldProblem')]),
          ),
          ...(fault ? problemOf(fault, wording) : {}),
          ...(codeProblem && shown.takesCodes ? { code: text(codeProblems[codeProblem]) } : {}),
        };
        const unmarked = unmarkedProblem(shown, wrong, codeProblem);
        // Wrong fields, other amounts and another order hide the problem of an earlier card. A code that the payment
        // has refused has its reason at its place.
        const isOther =
          Object.keys(problems).length > 0 || further.isChanged || shown.code?.obstacle;
        const last = further.isStep ? null : checkout.problem;
        const problem = isOther ? null : (further.problem ?? last ?? null);
        const parts = {
          ...shown,
          wording,
          problem:
            unmarked || problem === true
              ? html`${text(unmarked ?? 'unexpected')}`
              : problem
                ? wording.english(problem)
                : null,
          problems,
          isUnread,
          isChanged: further.isChanged ?? false,
          values: { ...shown.values, ...values },
          nextUrl: shown.status === 'open' ? nextUrl : null,
        };
        const code = ['expired', 'failed'].includes(shown.status) ? 410 : status;
        return new Response(checkoutPage(parts), { status: code, headers: { ...headers } });
      }
    },
  };
}

const problemsOf: Readonly<Record<string, CheckoutTextName>> = {
  email: 'emailProblem',
  name: 'nameProblem',
  country: 'countryProblem',
};

/** The text about a value for which the page has no field to mark, which only a changed form sends. */
function unmarkedProblem(
  { takesCodes, knownTaxIds }: Pick<ShownCheckout, 'takesCodes' | 'knownTaxIds'>,
  wrong: readonly string[],
  codeProblem: keyof typeof codeProblems | null,
): CheckoutTextName | undefined {
  if (codeProblem && !takesCodes) return codeProblems[codeProblem];
  const without = ['token', 'type', 'shown', ...(knownTaxIds ? ['tax_id'] : [])];
  return wrong.some((name) => without.includes(name)) ? 'unexpected' : undefined;
}

/** The message about a tax id, at its field or at that of the country. */
function problemOf(fault: TaxIdFault, { text }: CheckoutWording): Values {
  if (fault === 'country') return { country: text('taxIdCountry') };
  const { example } = fault;
  if (fault.fault === 'digits') return { tax_id: text('taxIdDigits') };
  return { tax_id: example ? text('taxIdFormSuch', { example }) : text('taxIdForm') };
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
  tax_id: '',
  token: '',
  type: 'card',
};

/** The message of a refusal for people: that of its first problem, which is more specific than its headline. */
const textOf = ({ message, issues }: DomainError) => issues[0]?.message ?? message;

async function valuesOf(request: Request): Promise<Values | undefined> {
  const form = await formOf(request, mostBytes);
  return form && Object.fromEntries(form);
}
