import type { MikroORM } from '@mikro-orm/postgresql';
import { createMailer } from '#cron/mailer.ts';
import { Failures } from '#domain/kernel/failures.ts';
import { newId } from '#domain/kernel/ids.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import { applyAlertRules } from '#domain/metering/commands/alert-rules/apply-alert-rules.ts';
import { foundOrganization } from '#domain/platform/commands/organizations/found-organization.ts';
import { carryOnTestClocks } from '#domain/platform/commands/test-clocks/carry-on-test-clocks.ts';
import { schema } from '#schema/index.ts';
import { openEventHub } from '#server/feed/event-hub.ts';
import { createLogger } from '#server/observability/logger.ts';
import { createGateway } from '#server/yoga.ts';
import { runImport } from '../import/run-import.ts';
import type { Scenario } from './scenario.ts';
import type { Answer, Service } from './service.ts';

const operationTimeLimitSeconds = 120;

/** Opens the whole service on a database, without a port: each call returns an organization of its own. */
export async function openServices(
  opened: AsyncDisposableStack,
  orm: MikroORM,
  databaseUrl: string,
): Promise<(scenario: Pick<Scenario, 'name' | 'currency'>) => Promise<Service>> {
  const logger = createLogger('error');
  const hub = opened.use(await openEventHub(orm, databaseUrl, logger));
  const gateway = createGateway({
    orm,
    hub,
    logger,
    production: false,
    operationTimeLimitSeconds,
    slowRequestMilliseconds: operationTimeLimitSeconds * 1_000,
  });
  const { mailer, sendMails } = mailing(orm);
  opened.use(mailer);
  return async ({ name, currency }) => {
    const now = await presentOf(orm.em);
    const founding = { name, now, currency };
    const { apiKey, token } = await foundOrganization(orm.em.fork(), founding);
    const { organizationId, livemode, pricingModelId } = apiKey;
    const tenant = { organizationId, livemode, pricingModelId, keyType: 'secret' } as const;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return {
      schema,
      async call(operation) {
        const body = JSON.stringify(operation);
        const request = { method: 'POST', headers, body };
        const response = await gateway.fetch('http://scenario/graphql', request);
        return (await response.json()) as Answer;
      },
      async carryOn() {
        await carryOnTestClocks(orm.em.fork(), await presentOf(orm.em), newId('cause'));
      },
      async applyAlertRules() {
        const failures = new Failures();
        const cause = newId('cause');
        await applyAlertRules(orm.em.fork(), await presentOf(orm.em), cause, failures.add);
        failures.throwIfAny();
      },
      sendMails,
      importExport: (plan) => runImport(orm.em.fork(), tenant, { ...plan, applies: true }),
    };
  };
}

/** A mailer without a mail server, so that it catches the mails of test mode, and throws what a mail fails for. */
function mailing(orm: MikroORM) {
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const mailer = createMailer(orm, { smtpUrl: undefined, mailFrom: undefined, onFailure });
  return {
    mailer,
    async sendMails() {
      await mailer.sweep(await presentOf(orm.em));
      await mailer.settled();
      if (failures.length > 0) throw failures.pop();
    },
  };
}
