import { hasScope } from '#domain/kernel/access-scopes.ts';
import type { Context } from '#schema/engine/builder.ts';
import { formOf } from '../bounded-body.ts';
import { isForeign } from '../origins.ts';
import { html } from '../pages/html.ts';
import { actions, adjustmentTo, messages, subscriptionOf } from './actions.ts';
import { leavePage, plansPage, previewPage } from './change-page.ts';
import { attemptOf, type Execute, refusalOf } from './executor.ts';
import { homePage } from './home.ts';
import * as operations from './operations.ts';
import { problemPage } from './page.ts';
import {
  formToken,
  framedBase,
  isFormToken,
  localeCookie,
  type NamedSession,
  sessionCookie,
} from './portal-session.ts';
import type { Alert, Billing, Forms, InvoicePage, Plan, Preview, Subscription } from './shapes.ts';
import { type Wording, wordingOf } from './texts/wording.ts';

const mostBytes = 8_192;

/** A page, or the way to one. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string | ReadableStream | null;
}

/** A request with the session of its customer. */
export interface Visit extends NamedSession {
  readonly request: Request;
  readonly url: URL;
  readonly origin: string;
  /** The path of the portal as the browser sees it, for all sessions. */
  readonly root: string;
  readonly wording: Wording;
  readonly context: Context;
  readonly execute: Execute;
  /** The stream of the changes of the customer. */
  readonly changes: () => Promise<Answer>;
}

/** Answers a request of a customer. Errors: those of the operations. */
export function answerTo(visit: Visit): Promise<Answer> {
  if (visit.request.method === 'POST') return submitted(visit);
  const { path } = visit;
  if (path === '') return home(visit);
  if (path === 'change') return change(visit);
  if (path === 'leave') return leave(visit);
  if (path === 'returned') return returned(visit);
  if (path === 'changes') return visit.changes();
  return Promise.resolve(unknown(visit));
}

const unknown = ({ base, wording }: Visit): Answer => ({
  status: 404,
  body: problemPage(
    wording,
    wording.text('unknownTitle'),
    html`${wording.text('unknownText')}`,
    base,
  ),
});

const formsOf = ({ root, base, token, wording, isFramed, context }: Visit): Forms => ({
  root,
  base,
  token: formToken(token),
  wording,
  isFramed,
  may: (scope) => hasScope(context.scopes, scope),
});

const toHome = ({ base }: Visit, done: string): Answer => ({
  status: 303,
  headers: { location: `${base}?done=${done}` },
});

/** Invoices on one page. */
const invoicesOnPage = 10;

/** The billing details, with the page of invoices that the address names; the newest ones without it. */
async function billingOf({ execute, context, url }: Visit): Promise<Billing> {
  const id = context.customerId;
  const [after, before] = ['after', 'before'].map((name) => url.searchParams.get(name));
  const part = before ? { last: invoicesOnPage, before } : { first: invoicesOnPage, after };
  type Found = { customer: { externalId: string } };
  const { customer } = await execute<Found>(operations.externalIdOf, { id });
  const { externalId } = customer;
  type Read = {
    billing: Omit<Billing, 'invoices' | 'due' | 'alerts' | 'prepaidCredits'>;
    alerts: { nodes: readonly Omit<Alert, 'currency'>[] };
    prepaidCredits: { nodes: Billing['prepaidCredits'] };
    invoices: InvoicePage;
    due: { nodes: Billing['due'] };
  };
  const read = await execute<Read>(operations.readBilling, { externalId, id, ...part });
  const { billing, invoices, due } = read;
  const currency = billing.customer.currency ?? '';
  const alerts = read.alerts.nodes.map((alert) => ({ ...alert, currency }));
  const prepaidCredits = read.prepaidCredits.nodes;
  return { ...billing, alerts, prepaidCredits, invoices, due: due.nodes };
}

async function home(visit: Visit): Promise<Answer> {
  const { searchParams } = visit.url;
  if (searchParams.has('locale')) return inLanguage(visit, searchParams.get('locale'));
  const done = messages[searchParams.get('done') ?? ''];
  const billing = await billingOf(visit);
  return { body: homePage({ ...formsOf(visit), billing, done }) };
}

/** The first page in a language that the customer has chosen. */
function inLanguage({ root, token, isFramed, origin }: Visit, asked: string | null): Answer {
  const locale = wordingOf(asked)?.locale;
  const location = isFramed ? framedBase(root, token, locale) : root;
  const isSecure = origin.startsWith('https:');
  const cookies = locale && !isFramed ? [localeCookie(locale, root, isSecure)] : [];
  return { status: 303, headers: { location }, cookies };
}

async function plansFor({ execute }: Visit, { currency }: Subscription) {
  type Found = { plans: { nodes: readonly Plan[] } };
  return (await execute<Found>(operations.readPlans, { currency })).plans.nodes;
}

/** The choice of a plan, and what the chosen one charges. */
async function change(visit: Visit): Promise<Answer> {
  const { execute, url } = visit;
  const billing = await billingOf(visit);
  const subscription = subscriptionOf(billing, url.searchParams.get('id') ?? '');
  if (!subscription) return unknown(visit);
  const plans = await plansFor(visit, subscription);
  const forms = formsOf(visit);
  const plan = plans.find(({ id }) => id === url.searchParams.get('plan'));
  if (!plan) return { body: plansPage({ ...forms, billing, subscription, plans }) };
  const asked = { id: subscription.id, adjustment: adjustmentTo(subscription, plan) };
  const { preview } = await execute<{ preview: Preview }>(operations.previewPlan, asked);
  return { body: previewPage({ ...forms, billing, subscription, plan, preview }) };
}

/**
 * Leads from a frame to the page of the processor in a new tab, which gets a session of its own: the processor is not
 * told the address of the frame, which contains the credential.
 */
async function leave(visit: Visit): Promise<Answer> {
  const { token, root, origin, execute, url } = visit;
  type Found = { paymentMethodSetup: { url: string | null } };
  const id = url.searchParams.get('setup') ?? '';
  const { paymentMethodSetup } = await execute<Found>(operations.readSetup, { id });
  if (!paymentMethodSetup.url) return unknown(visit);
  const cookies = [sessionCookie(token, root, origin.startsWith('https:'))];
  return { status: 303, headers: { location: paymentMethodSetup.url }, cookies };
}

/** The customer returns from the page of the payment processor. */
async function returned(visit: Visit): Promise<Answer> {
  const id = visit.url.searchParams.get('setup') ?? '';
  type Completed = { completePaymentMethodSetup: { paymentMethodSetup: { status: string } } };
  const completed = await visit.execute<Completed>(operations.completeSetup, { id });
  const { status } = completed.completePaymentMethodSetup.paymentMethodSetup;
  return toHome(visit, status === 'completed' ? 'added' : 'open');
}

/** Executes the action of a form. A form that no page of this session contains is refused. */
async function submitted(visit: Visit): Promise<Answer> {
  const { request, path, origin, token, base, wording } = visit;
  const form = await formOf(request, mostBytes);
  const isOwn = form && isFormToken(token, form.get('token') ?? '') && !isForeign(request, origin);
  const attempt = isOwn ? attemptOf(path, form) : undefined;
  if (!isOwn || !attempt) {
    const [title, text] = [wording.text('staleTitle'), html`${wording.text('staleText')}`];
    return { status: 403, body: problemPage(wording, title, text, base) };
  }
  const id = form.get('id') ?? '';
  try {
    if (path === 'add') return await addMethod(visit, attempt);
    if (path === 'change') return await changePlan(visit, id, form.get('plan') ?? '', attempt);
    if (path === 'pay-all') {
      const ids = (form.get('ids') ?? '').split(' ');
      await visit.execute(operations.payAll, { ids }, attempt);
      return toHome(visit, 'pay');
    }
    const action = Object.hasOwn(actions, path) ? actions[path] : undefined;
    if (!action) return unknown(visit);
    await visit.execute(action, { id }, attempt);
    return toHome(visit, path);
  } catch (error) {
    const refused = refusalOf(error);
    if (!refused || refused.status === 403 || refused.status >= 429) throw error;
    const billing = await billingOf(visit);
    const problem = refused.message;
    return { status: refused.status, body: homePage({ ...formsOf(visit), billing, problem }) };
  }
}

type Attempt = NonNullable<ReturnType<typeof attemptOf>>;

async function addMethod(visit: Visit, attempt: Attempt): Promise<Answer> {
  const { origin, root, base, isFramed, execute, context } = visit;
  const portal = new URL(root, origin).href;
  const variables = { customerId: context.customerId, returnUrl: `${portal}/returned` };
  type Opened = { createPaymentMethodSetup: { paymentMethodSetup: { id: string; url: string } } };
  const opened = await execute<Opened>(
    operations.openSetup,
    { ...variables, cancelUrl: portal },
    attempt,
  );
  const { id, url } = opened.createPaymentMethodSetup.paymentMethodSetup;
  const next = isFramed ? `${base}/leave?setup=${id}` : url;
  return { body: leavePage(await billingOf(visit), formsOf(visit), next) };
}

/** The attempt covers the form and not the items, which are others after the change. */
async function changePlan(visit: Visit, id: string, plan: string, attempt: Attempt) {
  const billing = await billingOf(visit);
  const subscription = subscriptionOf(billing, id);
  if (!subscription) return unknown(visit);
  const variables = { id, adjustment: adjustmentTo(subscription, { id: plan }) };
  type Changed = { adjustSubscription: { resolvedTiming: string; billingRunId: string | null } };
  const changed = await visit.execute<Changed>(operations.changePlan, variables, attempt);
  const { resolvedTiming, billingRunId } = changed.adjustSubscription;
  if (billingRunId !== null) return toHome(visit, 'unpaid');
  return toHome(visit, resolvedTiming === 'immediately' ? 'change' : 'later');
}
