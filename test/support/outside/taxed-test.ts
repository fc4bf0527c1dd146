import type { Session } from '#domain/kernel/session.ts';
import { updateOrganization } from '#domain/platform/commands/organizations/update-organization.ts';
import { reachTaxServices } from '#server/integrations/reach-tax-services.ts';
import { fresh } from '../factories.ts';
import { testAlone } from '../test.ts';
import { startTaxServer, type TaxServer } from './tax-service.ts';

/** A test with a tax service, which answers as its test has it. */
export const taxedTest = testAlone('it runs jobs, which work for all organizations').extend(
  'service',
  async ({}, { onCleanup }) => {
    const patience = { pausesMilliseconds: [10], restMilliseconds: 0 };
    reachTaxServices({ allowPrivate: true, timeoutMilliseconds: 30_000, ...patience });
    const service = await startTaxServer();
    onCleanup(() => service[Symbol.asyncDispose]());
    return service;
  },
);

/** Has an organization ask a tax service. */
export const useService = (session: Session, { url: taxServiceUrl }: TaxServer) =>
  updateOrganization(
    fresh(session),
    {
      organization: {
        taxEngine: 'service',
        taxServiceUrl,
        taxServiceSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      },
    },
    { allowPrivate: true },
  );
