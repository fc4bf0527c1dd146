import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import {
  ProcessorAccount,
  processorKinds,
  sealAccountSecret,
} from '#domain/model/money/processor-account.ts';
import { connectedAccount } from '#domain/money/processing/connected-account.ts';
import { stripeApiVersion } from '#domain/money/processing/stripe/client.ts';
import { createEndpoint, deleteEndpointsAt } from '#domain/money/processing/stripe/endpoint.ts';
import { verifyKey } from '#domain/money/processing/stripe/verify-key.ts';

/** Deliveries that were signed before a rotation arrive for this long. */
const overlapMilliseconds = 3 * 86_400_000;

export const connectProcessorInput = z.object({
  kind: z.enum(processorKinds),
  secretKey: z.string().trim().min(1).max(255),
  webhookSecret: z
    .string()
    .trim()
    .regex(/^whsec_\S{8,}$/, 'must be the signing secret of an endpoint, whsec_…')
    .max(255)
    .nullish(),
});

type Input = z.output<typeof connectProcessorInput>;

/** Where the processor reaches this service. */
export interface ReachedAt {
  readonly publicUrl?: string | undefined;
}

/** The path to which a processor sends its events; one for both modes of an organization. */
const noticePath = (kind: string, organizationId: string) =>
  `/processors/${kind}/${organizationId}`;

/**
 * Connects the session's mode to an account of a processor, or replaces its key. The key is verified first. References
 * of customers and payments belong to the account, so that a new key of the same account keeps them. Errors:
 * BAD_REQUEST for a bad key; CONFLICT while another account is connected.
 */
export async function connectProcessor(
  session: Session,
  { kind, secretKey, webhookSecret }: Input,
  { publicUrl }: ReachedAt = {},
): Promise<ProcessorAccount> {
  const { organizationId, livemode } = session;
  const verified = await verifyKey(secretKey, livemode);
  const { accountReference } = verified;
  const connected = await connectedAccount(session);
  if (connected && connected.accountReference !== accountReference) {
    throw otherAccount(connected.accountReference, accountReference);
  }
  const names = { organizationId, livemode, kind, accountReference };
  const earlier = await session.em.findOne(ProcessorAccount, names);
  const url = publicUrl && `${publicUrl}${noticePath(kind, organizationId)}`;
  const needsEndpoint = !webhookSecret && url && !earlier?.receivesNotices && !session.dryRun;
  const endpoint = needsEndpoint
    ? await createEndpoint(secretKey, { url, organizationId })
    : undefined;
  const secret = webhookSecret ?? endpoint?.secret;
  const account = await command(session, (session) => store(session));
  if (endpoint && url) {
    await deleteEndpointsAt(secretKey, url, endpoint.reference).catch((error) =>
      report(session, account.id, error),
    );
  }
  return account;

  async function store({ em, now }: Session) {
    const id = earlier?.id ?? newId('processor_account');
    const stored = {
      name: verified.name,
      restricted: verified.restricted,
      apiVersion: stripeApiVersion,
      keyEnding: secretKey.slice(-4),
      secretKey: sealAccountSecret(id, secretKey),
      disconnectedAt: null,
      refusedReason: null,
      refusedAt: null,
    };
    const found = earlier ? await em.findOneOrFail(ProcessorAccount, id) : undefined;
    const account = found
      ? em.assign(found, stored)
      : em.create(ProcessorAccount, { id, kind, accountReference, ...stored });
    if (secret) account.rotateWebhookSecret(secret, new Date(now.getTime() + overlapMilliseconds));
    if (endpoint) account.endpointReference = endpoint.reference;
    await em.flush();
    return account;
  }
}

const otherAccount = (connected: string, given: string) =>
  new DomainError(
    'CONFLICT',
    `The key belongs to the account ${given}, and ${connected} is connected: its payment methods cannot be charged by another account. Disconnect it first, or use one of its keys`,
    { reason: 'INVALID_STATE' },
  );
