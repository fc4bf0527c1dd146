import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { openedAnswer, sealedAnswer, storedKey } from './kept-answers.ts';

const message =
  'The answer to this Idempotency-Key was erased with its customer; the first request was executed';

/** The answer that repeats get instead. */
const erasedAnswer = JSON.stringify({
  data: null,
  errors: [
    {
      message,
      extensions: {
        code: 'BAD_REQUEST',
        issues: [{ code: 'KEY_REUSED', path: [], message }],
      },
    },
  ],
});

/**
 * Replaces the stored answers to requests that changed a customer, because they may repeat its personal data. Repeats
 * still change nothing. Returns how many answers it replaced.
 */
export async function eraseAnswers(session: Session, customerId: string): Promise<number> {
  const { em, pricingModelId } = session;
  const used = await statement<{ key: string }>(
    em,
    undefined,
    `select distinct cause.idempotency_key as key from event join cause on cause.id = event.cause
     where event.pricing_model_id = $1 and event.customer_id = $2 and cause.idempotency_key is not null
       and event.recorded_at > now() - interval '2 days'`,
    [pricingModelId, customerId],
  );
  const keys = used.flatMap(({ key }) => [key, storedKey({ customerId }, key)]);
  const kept = await statement<{ key: string; fingerprint: string; answer: string }>(
    em,
    undefined,
    `select key, fingerprint, answer from idempotency_key
     where pricing_model_id = $1 and key in (select jsonb_array_elements_text($2::jsonb)) and answer is not null
     order by key for update`,
    [pricingModelId, JSON.stringify(keys)],
  );
  const answers = kept.filter(
    ({ fingerprint, answer }) => openedAnswer(fingerprint, answer) !== erasedAnswer,
  );
  const sealed = answers.map(({ key, fingerprint }) => ({
    key,
    answer: sealedAnswer(fingerprint, erasedAnswer),
  }));
  await statement(
    em,
    undefined,
    `update idempotency_key kept set answer = erased.answer
     from jsonb_to_recordset($2::jsonb) as erased (key text, answer text)
     where kept.pricing_model_id = $1 and kept.key = erased.key`,
    [pricingModelId, JSON.stringify(sealed)],
  );
  return answers.length;
}
