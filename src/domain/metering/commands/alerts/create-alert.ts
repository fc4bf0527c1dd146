import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { coded, exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { alertFields, alertName, termsProblem } from '#domain/metering/alerts/alert-input.ts';
import { alertedMeter } from '#domain/metering/alerts/alerted-meter.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { alertKinds } from '#domain/model/metering/alert-kinds.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { changeAlert } from '#domain/recording/present/change-alert.ts';

const idInput = z.string().nullish();

export const createAlertInput = z.object({
  alert: z
    .object({
      kind: z.enum(alertKinds),
      threshold: alertFields.threshold,
      customerId: idInput,
      subscriptionId: idInput,
      usageMeterId: idInput,
      usageMeterSlug: idInput,
      hardLimit: alertFields.hardLimit.nullish(),
      percentages: alertFields.percentages.nullish(),
      name: alertName,
    })
    .refine(...exactlyOne(['subscriptionId', 'customerId']))
    .refine(
      ({ usageMeterId, usageMeterSlug }) => usageMeterId == null || usageMeterSlug == null,
      coded('INVALID', 'usageMeterId', 'give either usageMeterId or usageMeterSlug'),
    )
    .refine(
      ({ kind, usageMeterId, usageMeterSlug }) =>
        kind === 'spend' || usageMeterId != null || usageMeterSlug != null,
      coded('REQUIRED', 'usageMeterId', 'is required unless the kind is spend'),
    ),
});

type Input = z.output<typeof createAlertInput>;

/**
 * Creates an alert on a subscription, or on each subscription of a customer. One whose value has already reached a
 * threshold triggers at once. Errors: BAD_REQUEST for an unknown object, an ended subscription, an archived customer
 * and terms that the kind does not have.
 */
export async function createAlert(session: Session, { alert }: Input): Promise<Alert> {
  const { kind, threshold, hardLimit, name } = alert;
  const percentages = alert.percentages ?? [];
  const problem = termsProblem({ kind, threshold, hardLimit: hardLimit ?? false, percentages });
  if (problem) throw problem;
  const watched = await watchedBy(session, alert);
  return changeAlert(session, watched, async (session) => {
    const { em } = session;
    const customer = await em.findOneOrFail(Customer, watched.customerId);
    const { subscriptionId } = watched;
    const subscription = subscriptionId
      ? await em.findOneOrFail(Subscription, subscriptionId)
      : null;
    if (customer.archived) {
      const field = subscriptionId ? 'subscriptionId' : 'customerId';
      throw invalid('ARCHIVED', `alert.${field}`, `${customer.id} is archived`);
    }
    if (subscription?.isTerminal) {
      throw invalid('INVALID_STATE', 'alert.subscriptionId', `${subscription.id} has ended`);
    }
    return em.create(Alert, {
      kind,
      threshold,
      customer,
      subscription,
      usageMeter: await alertedMeter(session, alert, 'alert'),
      hardLimit: hardLimit ?? false,
      percentages,
      name: name ?? null,
      rule: null,
      ruleRevision: null,
    });
  });
}

async function watchedBy({ em }: Session, { subscriptionId, customerId }: Input['alert']) {
  if (subscriptionId == null) {
    const customer = await em.findOne(Customer, { id: customerId ?? '' });
    if (customer) return { customerId: customer.id, subscriptionId: null };
    throw invalid('NOT_FOUND', 'alert.customerId', `Unknown customer ${customerId}`);
  }
  const subscription = await em.findOne(Subscription, { id: subscriptionId });
  if (subscription) return { customerId: subscription.customerId, subscriptionId };
  throw invalid('NOT_FOUND', 'alert.subscriptionId', `Unknown subscription ${subscriptionId}`);
}
