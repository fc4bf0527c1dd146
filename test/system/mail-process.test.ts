import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { fresh } from '../support/factories.ts';
import { aSendingSession, aSentInvoice, mailsOf } from '../support/mails.ts';
import { aMailServer } from '../support/outside/mail-server.ts';
import { startService } from '../support/process.ts';
import { systemTest as test } from '../support/test.ts';

const statuses = async (session: Session) => (await mailsOf(session)).map(({ status }) => status);

/** A killed process renews its claims no longer; the test does not wait until they expire. */
const expireClaims = ({ em }: Session) =>
  em.execute(
    `update mail set claimed_until = now() - interval '1 second' where claimed_until is not null`,
  );

test('after SIGKILL at each point of the transmission the mail arrives once, with two processes at work', async ({
  database,
  session,
}) => {
  const live = await aSendingSession(session, ['invoice']);
  const reached = {
    recipient: Promise.withResolvers<void>(),
    content: Promise.withResolvers<void>(),
  };
  const held = Promise.withResolvers<void>();
  let point: 'recipient' | 'content' | undefined = 'recipient';
  const server = await aMailServer({
    // Before the content: the server has accepted nothing.
    onRcptTo(_address, _session, done) {
      if (point !== 'recipient') return done();
      reached.recipient.resolve();
      return undefined;
    },
    // After the content: the server has it, and the process does not know.
    onContent() {
      if (point !== 'content') return undefined;
      reached.content.resolve();
      return held.promise;
    },
  });
  const settings = {
    DATABASE_URL: database.databaseUrl,
    SMTP_URL: server.url,
    MAIL_FROM: 'billing@tolls.example',
  };
  await aSentInvoice(live);
  const first = await startService(settings);
  await reached.recipient.promise;
  first.kill('SIGKILL');
  await first.ended();
  expect(await statuses(live)).toEqual(['pending']);

  point = 'content';
  await expireClaims(fresh(live));
  const second = await startService(settings);
  await reached.content.promise;
  second.kill('SIGKILL');
  await second.ended();
  held.resolve();

  point = undefined;
  await aSentInvoice(live);
  await expireClaims(fresh(live));
  const services = await Promise.all([startService(settings), startService(settings)]);
  await server.until(2);
  await expect.poll(() => statuses(live)).toEqual(['uncertain', 'sent']);
  for (const service of services) service.kill('SIGTERM');
  for (const service of services)
    expect(await service.ended()).toMatchObject({ code: 0, stderr: '' });
  const ids = (await mailsOf(live)).map(({ id }) => id);
  expect(server.received.map(({ source }) => ids.findIndex((id) => source.includes(id)))).toEqual([
    0, 1,
  ]);
});

test('the password of the mail server is in no line of the log, also when it is refused', async ({
  database,
  session,
}) => {
  const live = await aSendingSession(session, ['invoice']);
  const server = await aMailServer({
    onAuth: (_auth, _session, done) => done(new Error('Wrong password')),
  });
  await aSentInvoice(live);
  const service = await startService({
    LOG_LEVEL: 'trace',
    DATABASE_URL: database.databaseUrl,
    SMTP_URL: server.url.replace('//', '//quagga:zebra-secret@'),
    MAIL_FROM: 'billing@tolls.example',
  });
  const problems = async () => (await mailsOf(live)).map(({ problem }) => problem);
  await expect.poll(problems).toEqual([expect.stringContaining('Invalid login')]);
  expect(await statuses(live)).toEqual(['pending']);
  service.kill('SIGTERM');
  const { stdout, stderr } = await service.ended();
  expect(stdout + stderr).not.toContain('zebra-secret');
  expect(JSON.stringify(await mailsOf(live))).not.toContain('zebra-secret');
});
