import { type Connection, TollgateError } from '@tollgate/client';
import {
  BillingStateDocument,
  CreateCustomerDocument,
  type CurrentSubscriptionFragment,
  UpdateCustomerDocument,
} from '@tollgate/client/operations';

/** The options of the plugin. */
export interface PluginOptions {
  /** A connection with a secret key, which stays on your server. */
  readonly connection: Connection;
  /** Your own id of the customer of a user; the id of the user when absent. */
  readonly externalIdOf?: (user: AuthUser) => string;
}

/** The fields of a user that the plugin reads. */
export interface AuthUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** The state of a customer, as `session.billing`. */
export interface Billing {
  readonly customerExternalId: string;
  readonly subscriptions: readonly CurrentSubscriptionFragment[];
  /** The slugs of the features that the customer has now. */
  readonly features: readonly string[];
}

/** A session with the state of its customer, which is null while the service does not answer. */
export type WithBilling<Session> = Session & { readonly billing: Billing | null };

interface Logger {
  error(message: string, ...more: unknown[]): void;
}

/** The part of the argument of a hook that the plugin reads. */
interface HookContext {
  readonly context: { readonly returned?: unknown; readonly logger: Logger };
}

/**
 * The plugin of Better Auth. A user that is created or changed gets or changes its customer, and each answer of
 * `getSession` has `billing`. People sign up and in while the service does not answer. The customer is then created with
 * the first session that is read.
 */
export function tollgate({ connection, externalIdOf = ({ id }) => id }: PluginOptions) {
  const customerOf = ({ id, name, email }: AuthUser) => ({
    externalId: externalIdOf({ id, name, email }),
    // Some ways to sign in know no name.
    name: name || email,
    email,
  });

  return {
    id: 'tollgate' as const,

    init: ({ logger }: { readonly logger: Logger }) => ({
      options: {
        databaseHooks: {
          user: {
            create: { after: (user: AuthUser) => attempt(logger, () => create(user)) },
            update: { after: (user: AuthUser) => attempt(logger, () => update(user)) },
          },
        },
      },
    }),

    hooks: {
      after: [
        {
          matcher: ({ path }: { readonly path?: string }) => path === '/get-session',
          async handler(hook: object) {
            const { context } = hook as HookContext;
            const session = sessionIn(context.returned);
            if (!session) return { response: undefined, headers: undefined };
            const billing = await attempt(context.logger, () => billingOf(session.user));
            return { response: { ...session, billing: billing ?? null }, headers: undefined };
          },
        },
      ],
    },
  };

  async function create(user: AuthUser): Promise<void> {
    const customer = customerOf(user);
    try {
      await connection.execute(CreateCustomerDocument, { customer });
    } catch (error) {
      // Another request has created it in the meantime, or your application before.
      if (!isTaken(error)) throw error;
    }
  }

  async function update(user: AuthUser): Promise<void> {
    const { externalId, ...customer } = customerOf(user);
    try {
      await connection.execute(UpdateCustomerDocument, { externalId, customer });
    } catch (error) {
      if (!isMissing(error)) throw error;
      await create(user);
    }
  }

  async function billingOf(user: AuthUser): Promise<Billing | undefined> {
    const externalId = externalIdOf(user);
    const read = () => connection.execute(BillingStateDocument, { externalId });
    const { data } = await read().catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await create(user);
      return read();
    });
    if (!data.customer) return undefined;
    const { currentSubscriptions: subscriptions, featureItems } = data.customer;
    const features = [...new Set(featureItems.map(({ slug }) => slug))];
    return { customerExternalId: externalId, subscriptions, features };
  }
}

/** Signing up and in never depends on billing. */
async function attempt<Value>(logger: Logger, act: () => Promise<Value>) {
  try {
    return await act();
  } catch (error) {
    logger.error('Tollgate', error);
    return undefined;
  }
}

const isMissing = (error: unknown) => error instanceof TollgateError && error.code === 'NOT_FOUND';

const isTaken = (error: unknown) =>
  error instanceof TollgateError && error.issues.some(({ code }) => code === 'TAKEN');

/** The session in an answer; undefined for an error, and for a visitor who is not signed in. */
function sessionIn(returned: unknown): { readonly user: AuthUser } | undefined {
  const { user } = (returned ?? {}) as { user?: AuthUser };
  return user && typeof user.id === 'string' ? (returned as { user: AuthUser }) : undefined;
}
