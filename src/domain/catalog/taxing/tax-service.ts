import { AnswerNeeded } from '#domain/kernel/answer-needed.ts';
import { waitOf } from '#domain/kernel/answer-wait.ts';
import { Concurrency } from '#domain/kernel/concurrency.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { KnownAnswers } from './known-answers.ts';
import { keepNear, nearRates } from './near-answers.ts';
import { type LineRates, ruleOfRates } from './rule-of-rates.ts';
import { ratesOfAnswer } from './tax-answer.ts';
import type { TaxEngine, TaxRequest } from './tax-engine.ts';
import { questionOf, type TaxQuestion } from './tax-question.ts';
import { openTaxSecret } from './tax-secret.ts';
import {
  patienceOfSweeps,
  sendTaxMessage,
  statusesOfQuestion,
  type TaxMessage,
} from './tax-sender.ts';
import { type Failing, TaxServiceFailed } from './tax-service-failed.ts';

/** How many questions of one organization are open at the same time, and how many more wait for that. */
const mostOpen = 8;
const mostWaiting = 100;

/** The answers of each organization. The rule of some lines follows from them for each request. */
const answers = new KnownAnswers<LineRates>();
/** The questions that are open, by the same keys. */
const asking = new Map<string, Promise<void>>();
const slots = new Map<string, Concurrency>();

/**
 * The engine `service`: a service of the organization, which is asked over HTTP. Within a transaction it is not awaited:
 * the transaction is rolled back, and runs again after the answer. Errors: TaxServiceFailed; AnswerNeeded within a
 * transaction.
 */
export const taxService: TaxEngine = async (session, request) => {
  const question = await questionOf(session, request);
  const { organizationId, cause } = session;
  const key = `${organizationId} ${session.livemode} ${question.id}`;
  const known = answers.get(organizationId, key) ?? nearRates(cause, question);
  if (known) return ruleOfRates(known, question, request);
  const message = messageOf(session, request, question);
  const ask = async () => {
    const wait = waitOf(cause);
    const send = () => askOnce(organizationId, key, { message, request, question });
    try {
      if (wait && wait.milliseconds > patienceOfSweeps()) throw tooSlow();
      await (wait ? wait.during(send) : send());
    } catch (error) {
      throw refusalFor(session, error as TaxServiceFailed);
    }
    const rates = answers.get(organizationId, key);
    if (rates) keepNear(cause, question, rates);
  };
  if (session.em.isInTransaction()) throw new AnswerNeeded(ask, changes());
  await ask();
  return taxService(session, request);
};

const changes = () =>
  new TaxServiceFailed('the amounts have changed with each attempt', 'question');

const tooSlow = () =>
  new TaxServiceFailed('due work of the organization has waited for it too long', 'turn');

const tooMany = () => new TaxServiceFailed(`${mostWaiting} questions wait for it already`, 'turn');

/** Customers do not learn the reason, which may name addresses; the log does. */
function refusalFor(session: Session, error: TaxServiceFailed): TaxServiceFailed {
  if (session.keyType === 'secret') return error;
  report(session, session.customerId ?? session.organizationId, error);
  return new TaxServiceFailed(null, error.concerns, error);
}

/** The request to the service of the settings, which the database requires for this engine. */
function messageOf(
  { organizationId, livemode }: Session,
  { settings }: TaxRequest,
  { id, body }: TaxQuestion,
): TaxMessage {
  const { taxServiceUrl: url, taxServiceSecret: secret } = settings;
  if (!url || !secret) throw new TaxServiceFailed('the organization has none', 'service');
  const opened = openTaxSecret(settings.id, secret);
  return { organizationId, url, secret: opened, livemode, id, body };
}

interface Asked {
  readonly message: TaxMessage;
  readonly request: TaxRequest;
  readonly question: TaxQuestion;
}

/**
 * Asks a question, together with others that ask the same at the same time. Errors: TaxServiceFailed, also where too many
 * of the organization wait already.
 */
async function askOnce(organizationId: string, key: string, asked: Asked): Promise<void> {
  const known = asking.get(key);
  if (known) return known;
  const own = slots.get(organizationId) ?? new Concurrency(mostOpen);
  slots.set(organizationId, own);
  if (own.waiting >= mostWaiting) throw tooMany();
  const work = own
    .take(() => keepAnswer(organizationId, key, asked))
    .finally(() => asking.delete(key));
  asking.set(key, work);
  return work;
}

/** Errors: TaxServiceFailed for a failure, another status than 200 and a wrong answer. */
async function keepAnswer(
  organizationId: string,
  key: string,
  { message, request, question }: Asked,
): Promise<void> {
  let concerns: Failing = 'service';
  try {
    const { status, body } = await sendTaxMessage(message);
    if (statusesOfQuestion.includes(status)) concerns = 'question';
    if (status !== 200) throw new Error(`it answered ${status}`);
    const rates = ratesOfAnswer(body, question, request);
    answers.set(organizationId, key, rates, Buffer.byteLength(body));
  } catch (error) {
    throw new TaxServiceFailed((error as Error).message, concerns, error);
  }
}
