import { hasScope } from '#domain/kernel/access-scopes.ts';
import { Operator } from '#domain/model/platform/operator.ts';
import { OperatorSession, signInMethods } from '#domain/model/platform/operator-session.ts';
import { otherSessions, ownId } from '#domain/platform/commands/operators/own-account.ts';
import {
  revokeOperatorSession,
  revokeOperatorSessionInput,
} from '#domain/platform/commands/operators/revoke-operator-session.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { id, nullable, of, time } from '../engine/fields.ts';
import { mutation } from '../engine/mutation.ts';
import { withId } from '../engine/reference.ts';
import { object } from '../engine/types.ts';

/** The largest number of sessions in an answer. */
const mostSessions = 100;

const SignInMethod = builder.enumType('SignInMethod', {
  description: 'The way in which an operator has signed in.',
  values: described(signInMethods, {
    password: 'With e-mail and password.',
    invitation: 'With the link of an invitation, which has set the password.',
    oidc: 'Through the identity provider, by OpenID Connect.',
  }),
});

const OperatorSessionType = object<OperatorSession>('OperatorSession')({
  description: 'A browser in which an operator has signed in.',
  fields: (t) => ({
    id: id('The id, `operator_session_…`.'),
    ...withId('operator', Operator, 'The operator.'),
    method: of(SignInMethod, 'The way of the sign-in.'),
    isCurrent: t.boolean({
      description: 'Whether it is the session of this request.',
      resolve: ({ id }, _args, { operator }) => operator?.sessionId === id,
    }),
    createdAt: time('The time of the sign-in.'),
    lastSeenAt: time('The time of the last request, to the minute.'),
    expiresAt: t.field({
      type: 'Timestamp',
      description: 'The time when the session ends without a further request.',
      resolve: ({ endsAt }) => endsAt,
    }),
    revokedAt: nullable.time('The time of its end by sign-out or revocation; null without one.'),
    userAgent: nullable.text('The name of the browser; null unless `AUDIT_ADDRESSES` is `true`.'),
    address: nullable.text('The address of the client; null unless `AUDIT_ADDRESSES` is `true`.'),
  }),
});

builder.queryField('operatorSessions', (t) =>
  t.field({
    type: [OperatorSessionType],
    description: `The sessions of the operator who asks, the newest first; at most ${mostSessions}. An owner may ask for those of any operator. Errors: FORBIDDEN for an API key, and for another operator without the scope \`operators_write\`.`,
    args: {
      operator: t.arg.id({ description: 'The operator; the one who asks when absent.' }),
      active: t.arg.boolean({
        description: 'Returns only sessions that have not ended (true) or have ended (false).',
      }),
    },
    resolve: async (_root, { operator, active }, session) => {
      const wanted = operator ?? ownId(session);
      if (wanted !== ownId(session) && !hasScope(session.scopes, 'operators_write')) {
        throw otherSessions();
      }
      const sessions = await session.em.find(
        OperatorSession,
        { operator: wanted },
        { orderBy: { createdAt: 'desc', id: 'desc' }, limit: mostSessions },
      );
      return sessions.filter((each) => active == null || each.isUsable(session.now) === active);
    },
  }),
);

mutation('revokeOperatorSession', {
  returns: [OperatorSessionType, 'The ended session.'],
  description:
    'Ends a session of the operator who asks; of any operator with the scope `operators_write`. Its requests, sockets and streams end. Errors: NOT_FOUND.',
  args: { id: id('The id of the session.') },
  input: revokeOperatorSessionInput,
  command: revokeOperatorSession,
});
