import type { Context } from '#schema/engine/builder.ts';
import { formOf } from '../bounded-body.ts';
import { isForeign } from '../origins.ts';
import { actions, adjustmentTo, messages, subscriptionOf } from './actions.ts';
import { leavePage, plansPage, previewPage } from './change-page.ts';
import { attemptOf, type Execute, refusalOf } from './executor.ts';
import { homePage } from './home.ts';
import * as operations from './operations.ts';
import { problemPage } from './page.ts';
import { formToken, isFormToken } from './portal-session.ts';
import type { Billing, InvoicePage, Plan, Preview, Subscription } from './shapes.ts';

const mostBytes = 8_192;

/** A page, or the way to one. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request with the session of its customer. */
export interface Visit {
  readonly request: Request;
  readonly url: URL;
  /** Below the path of the portal. */
  readonly path: string;
  /** The customer token of the session. */
  readonly token: string;
  readonly origin: string;
  /** The path of the portal as the browser sees it. */
  readonly base: string;
  readonly context: Context;
  readonly execute: Execute;
}

/** Answers a request of a customer. Errors: those of the operations. */
export function answerTo(visit: Visit): Promise<Answer> {
  if (visit.request.method === 'POST') return submitted(visit);
  const { path } = visit;
  if (path === '') return home(visit);
  if (path === 'change') return change(visit);
  if (path === 'returned') return returned(visit);
  return Promise.resolve(unknown(visit));
}

const unknown = ({ base }: Visit): Answer => ({
  status: 404,
  body: problemPage('There is no such page', 'The address is wrong.', base),
});

const formsOf = ({ base, token }: Visit) => ({ base, token: formToken(token) });

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
  type Read = { billing: Omit<Billing, 'invoices'>; invoices: InvoicePage };
  const read = await execute<Read>(operations.readBilling, { externalId, id, ...part });
  return { ...read.billing, invoices: read.invoices };
}

async function home(visit: Visit): Promise<Answer> {
  const done = messages[visit.url.searchParams.get('done') ?? ''];
  const billing = await billingOf(visit);
  return { body: homePage({ ...formsOf(visit), billing, done }) };
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
  const { request, path, origin, token, base } = visit;
  const form = await formOf(request, mostBytes);
  const isOwn = form && isFormToken(token, form.get('token') ?? '') && !isForeign(request, origin);
  const attempt = isOwn ? attemptOf(path, form) : undefined;
  if (!isOwn || !attempt) {
    const text = 'Open the page again and repeat what you wanted to do. Nothing was changed.';
    return { status: 403, body: problemPage('This form is not valid any more', text, base) };
  }
  const id = form.get('id') ?? '';
  try {
    if (path === 'add') return await addMethod(visit, attempt);
    if (path === 'change') return await changePlan(visit, id, form.get('plan') ?? '', attempt);
    const action = Object.hasOwn(actions, path) ? actions[path] : undefined;
    if (!action) return unknown(visit);
    await visit.execute(action.document, { id }, attempt);
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
  const { origin, execute, context } = visit;
  const portal = `${origin}/portal`;
  const variables = { customerId: context.customerId, returnUrl: `${portal}/returned` };
  type Opened = { createPaymentMethodSetup: { paymentMethodSetup: { url: string } } };
  const opened = await execute<Opened>(
    operations.openSetup,
    { ...variables, cancelUrl: portal },
    attempt,
  );
  const { url } = opened.createPaymentMethodSetup.paymentMethodSetup;
  return { body: leavePage(await billingOf(visit), url) };
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
