import type { Session } from '#domain/kernel/session.ts';
import type { Operator } from '#domain/model/platform/operator.ts';
import {
  OperatorSession,
  type SignInMethod,
  sessionLife,
} from '#domain/model/platform/operator-session.ts';
import { hashSecretText, newSecretText } from './secret-text.ts';

/** The address and the name of a browser, where the settings keep them. */
export interface Client {
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** A session with the text of its cookie, which only this result contains. */
export interface OpenedSession {
  readonly operator: Operator;
  readonly operatorSession: OperatorSession;
  readonly text: string;
}

/** Starts a session of a locked operator, and records the sign-in. */
export async function startSession(
  { em, now }: Session,
  operator: Operator,
  { method, client }: { readonly method: SignInMethod; readonly client: Client },
): Promise<OpenedSession> {
  const text = newSecretText();
  operator.lastSignInAt = now;
  const operatorSession = em.create(OperatorSession, {
    operator,
    method,
    expiresAt: new Date(now.getTime() + sessionLife.mostSeconds * 1_000),
    lastSeenAt: now,
    hashText: hashSecretText(text),
    ...client,
  });
  await em.flush();
  return { operator, operatorSession, text };
}
