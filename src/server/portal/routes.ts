import type { Attempt } from '#rest/engine/attempt.ts';
import { isForeign } from '../http/origins.ts';
import { html } from '../pages/html.ts';
import { actions, adjustmentTo, messages, subscriptionOf } from './actions.ts';
import { buyCredit, chooseCredit } from './buy.ts';
import { plansPage, previewPage } from './change-page.ts';
import { attemptOf, refusalOf } from './executor.ts';
import { homePage } from './home.ts';
import { leavePage } from './leave-page.ts';
import * as operations from './operations.ts';
import { problemPage } from './page.ts';
import { framedBase, isFormToken, localeCookie, sessionCookie } from './portal-session.ts';
import type { Plan, Preview, Subscription } from './shapes.ts';
import { wordingOf } from './texts/wording.ts';
import { type Answer, billingOf, formsOf, toHome, type Visit } from './visit.ts';

/** Answers a request of a customer. Errors: those of the operations. */
export function answerTo(visit: Visit): Promise<Answer> {
  if (visit.request.method === 'POST') return submitted(visit);
  const { path } = visit;
  if (path === '') return home(visit);
  if (path === 'change') return change(visit);
  if (path === 'buy') return chooseCredit(visit);
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

/** The prices of plans in the currency of a subscription. A product that adds to a plan is none. */
async function plansFor({ execute }: Visit, { currency }: Subscription) {
  type Found = { plans: { nodes: readonly Plan[] } };
  const { nodes } = (await execute<Found>(operations.readPlans, { currency })).plans;
  return nodes.filter(({ product }) => !product?.addOn);
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
  type Previewed = { previewed: { adjustmentPreview: Preview } };
  const asked = { id: subscription.id, adjustment: adjustmentTo(subscription, plan) };
  const { previewed } = await execute<Previewed>(operations.previewPlan, asked);
  const { adjustmentPreview: preview } = previewed;
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
  const amount = visit.url.searchParams.get('amount');
  // The customer has added the payment method for a purchase, which is confirmed on a page of its own.
  if (status === 'completed' && amount && /^\d+$/.test(amount))
    return { status: 303, headers: { location: `${visit.base}/buy?amount=${amount}&done=added` } };
  return toHome(visit, status === 'completed' ? 'added' : 'open');
}

/** Executes the action of a form. A form that no page of this session contains is refused. */
async function submitted(visit: Visit): Promise<Answer> {
  const { request, path, origin, token, base, wording, form } = visit;
  const isOwn = form && isFormToken(token, form.get('token') ?? '') && !isForeign(request, origin);
  const attempt = isOwn ? attemptOf(path, form) : undefined;
  if (!isOwn || !attempt) {
    const [title, text] = [wording.text('staleTitle'), html`${wording.text('staleText')}`];
    return { status: 403, body: problemPage(wording, title, text, base) };
  }
  const id = form.get('id') ?? '';
  try {
    if (path === 'add') return await addMethod(visit, form.get('amount'), attempt);
    if (path === 'buy') return await buyCredit(visit, form, attempt);
    if (path === 'change') return await changePlan(visit, id, form.get('plan') ?? '', attempt);
    if (path === 'pay-all') {
      const ids = (form.get('ids') ?? '').split(' ');
      await visit.execute(operations.payAll, { ids }, attempt);
      return toHome(visit, 'pay');
    }
    if (path === 'mails-on' || path === 'mails-off') {
      const kinds = { [path === 'mails-on' ? 'on' : 'off']: [id] };
      const { customerId } = visit.context;
      await visit.execute(operations.switchMails, { customerId, ...kinds }, attempt);
      return toHome(visit, path);
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

/** Leads to the page of the processor. The customer returns to the purchase of an amount, if there is one. */
async function addMethod(visit: Visit, amount: string | null, attempt: Attempt): Promise<Answer> {
  const { origin, root, base, isFramed, execute, context } = visit;
  const portal = new URL(root, origin).href;
  const returnUrl = `${portal}/returned${amount ? `?amount=${encodeURIComponent(amount)}` : ''}`;
  const variables = { customerId: context.customerId, returnUrl };
  type Opened = { createPaymentMethodSetup: { paymentMethodSetup: { id: string; url: string } } };
  const opened = await execute<Opened>(
    operations.openSetup,
    { ...variables, cancelUrl: portal },
    attempt,
  );
  const { id, url } = opened.createPaymentMethodSetup.paymentMethodSetup;
  const next = isFramed ? `${base}/leave?setup=${id}` : url;
  return { body: leavePage(await billingOf(visit), formsOf(visit), next, 'method') };
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
