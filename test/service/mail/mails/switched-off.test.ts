import { describe, expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';
import { switchMails } from '#domain/mail/commands/mails/switch-mails.ts';
import { Mail } from '#domain/model/mail/mail.ts';
import { mailKinds, optionalMailKinds } from '#domain/model/mail/mail-kinds.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import { aCustomer, fresh } from '../../../support/factories.ts';
import {
  aCardMail,
  aCardMailTo,
  aMailer,
  aSendingSession,
  aSentInvoice,
  mailsOf,
} from '../../../support/mails.ts';
import { aMailServer, answer } from '../../../support/outside/mail-server.ts';
import { aTenant } from '../../../support/tenant.ts';
import { graphqlOf, testAlone } from '../../../support/test.ts';

const test = testAlone('a mailer sends the mails of all organizations');

const reason = 'The customer has switched mails of this kind off';
const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);

const offOf = async (session: Session, id: string) =>
  (await fresh(session).em.findOneOrFail(Customer, id)).mailsOff;

describe('a kind of mails that a customer has off', () => {
  test('is not sent to it, and its log states the reason; others get it', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session);
    const server = await aMailServer();
    const mine = await aCustomer(live);
    await switchMails(fresh(live), { customerId: mine.id, off: ['card_expiring'] });
    await aCardMailTo(live, mine.id);
    const other = await aCardMail(live);
    await aMailer(orm, server.url).send();
    const mails = await mailsOf(live);
    expect(mails.map(({ customerId, status, problem }) => [customerId, status, problem])).toEqual([
      [mine.id, 'dropped', reason],
      [other.customerId, 'sent', null],
    ]);
    expect(mails[0]).toMatchObject({ html: null, recipient: null, attemptCount: 0 });
    expect(server.received).toHaveLength(1);
  });

  test('is dropped from the outbox when the switch is thrown, and later mails are sent after it is on again', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session);
    const server = await aMailServer();
    const { customerId } = await aCardMail(live);
    await switchMails(fresh(live), { customerId, off: ['alert'] });
    expect(await mailsOf(live)).toMatchObject([{ status: 'pending' }]);
    await switchMails(fresh(live), { customerId, off: ['card_expiring'] });
    expect(await mailsOf(live)).toMatchObject([{ status: 'dropped', problem: reason }]);
    await switchMails(fresh(live), { customerId, on: ['card_expiring'] });
    expect(await offOf(live, customerId)).toEqual(['alert']);
    await aCardMailTo(live, customerId);
    await aMailer(orm, server.url).send();
    expect((await mailsOf(live)).map(({ status }) => status)).toEqual(['dropped', 'sent']);
  });

  test('is not sent after a restart from the content of an earlier attempt', async ({
    database: { orm },
    session,
  }) => {
    const live = await aSendingSession(session);
    let isBusy = true;
    const server = await aMailServer({
      async onContent() {
        if (isBusy) throw answer(421, 'try again');
      },
    });
    const { customerId } = await aCardMail(live);
    await aMailer(orm, server.url).send();
    const [mail] = await mailsOf(live);
    expect(mail).toMatchObject({ status: 'pending', html: expect.any(String) });
    // A process that works on the mail at the time of the switch, and is killed.
    const claim = { claim: 'gone', claimedUntil: later(0.01) };
    await fresh(live).em.nativeUpdate(Mail, { id: mail?.id ?? '' }, claim);
    await switchMails(fresh(live), { customerId, off: ['card_expiring'] });
    expect(await mailsOf(live)).toMatchObject([{ status: 'pending' }]);
    isBusy = false;
    await aMailer(orm, server.url).send(later(1));
    expect(await mailsOf(live)).toMatchObject([{ status: 'dropped', problem: reason }]);
    expect(server.received).toEqual([]);
  });

  test('is refused to resendMail, which names the kind', async ({
    database: { orm },
    graphql,
    session,
  }) => {
    const { customerId } = await aCardMail(session);
    await aMailer(orm).send();
    const [mail] = await mailsOf(session);
    await switchMails(fresh(session), { customerId, off: ['card_expiring'] });
    const { errors } = await graphql('mutation($id: ID!) { resendMail(id: $id) { mail { id } } }', {
      id: mail?.id,
    });
    expect(errors[0].extensions.issues).toMatchObject([
      { path: ['id'], message: 'is of a kind (card_expiring) that the customer has off' },
    ]);
  });
});

describe('a necessary kind of mails', () => {
  test('is sent whatever a customer has off, and no request and no row has it off', async ({
    database: { orm },
    graphql,
    session,
  }) => {
    const live = await aSendingSession(session);
    const server = await aMailServer();
    const invoice = await aSentInvoice(live);
    const customerId = invoice.customer.id;
    await switchMails(fresh(live), { customerId, off: [...optionalMailKinds] });
    await aMailer(orm, server.url).send();
    expect(server.received).toHaveLength(1);

    const { id } = await aCustomer(session);
    const document = `mutation($id: ID!, $off: [MailKind!]) { switchMails(customerId: $id, off: $off) { customer { mailsOff } } }`;
    for (const kind of mailKinds) {
      const { errors } = await graphql(document, { id, off: [kind] });
      const isOptional = (optionalMailKinds as readonly string[]).includes(kind);
      expect(errors?.[0].extensions.code, kind).toBe(isOptional ? undefined : 'BAD_REQUEST');
      const { em } = fresh(session);
      const written = em.execute('update customer set mails_off = array[?] where id = ?', [
        kind,
        id,
      ]);
      await (isOptional ? written : expect(written, kind).rejects.toThrow('customer_mails_off'));
    }
    const refused = await graphql(document, { id, off: ['receipt'] });
    expect(refused.errors[0].extensions.issues).toMatchObject([
      {
        path: ['off', 0],
        message:
          'must be one of card_expiring, alert: the other kinds tell of money or access and are always sent',
      },
    ]);
  });
});

describe('the switches of a customer', () => {
  test('are set by GraphQL and REST, shown by GraphQL, and part of its events', async ({
    api,
    graphql,
    session,
  }) => {
    const created = await api('POST', '/customers', {
      customer: { name: 'Ada', email: 'ada@example.com', externalId: 'off', mailsOff: ['alert'] },
    });
    const { id } = created.body.data.customer;
    const read = async () =>
      (await graphql('query($id: ID!) { customer(id: $id) { mailsOff version } }', { id })).data
        .customer;
    expect(await read()).toMatchObject({ mailsOff: ['alert'] });
    const put = (customer: object) => api('PUT', '/customers/off', { customer });
    expect((await put({ mailsOff: ['alert', 'card_expiring', 'alert'] })).status).toBe(200);
    expect(await read()).toMatchObject({ mailsOff: ['card_expiring', 'alert'] });
    await put({ name: 'Ada L.' });
    expect(await read()).toMatchObject({ mailsOff: ['card_expiring', 'alert'] });
    expect((await put({ mailsOff: ['invoice'] })).status).toBe(400);
    await put({ mailsOff: null });
    expect(await read()).toMatchObject({ mailsOff: [] });
    const { version } = await read();
    await switchMails(fresh(session), { customerId: id, on: ['alert'] });
    expect(await read()).toEqual({ mailsOff: [], version });
    await switchMails(fresh(session), { customerId: id, off: ['alert'] });
    const { em } = fresh(session);
    const last = await em.findOne(Event, { objectId: id }, { orderBy: { position: 'desc' } });
    expect(last).toMatchObject({
      ...{ type: 'customer.updated', data: { mailsOff: ['alert'] } },
      previousAttributes: { mailsOff: [] },
    });
  });

  test('are those of a pricing model: another organization neither sees nor changes them', async ({
    gateway,
    database,
    session,
  }) => {
    const { id } = await aCustomer(session);
    const { key } = await aTenant(database.orm.em);
    const graphql = graphqlOf(gateway, key);
    const { errors } = await graphql(
      'mutation($id: ID!) { switchMails(customerId: $id, off: [alert]) { customer { mailsOff } } }',
      { id },
    );
    expect(errors[0].extensions.code).toBe('NOT_FOUND');
    expect(await offOf(session, id)).toEqual([]);
  });

  test('are on again after an erasure, and an erased customer has none', async ({
    graphql,
    session,
  }) => {
    const { id, externalId } = await aCustomer(session);
    await updateCustomer(fresh(session), { externalId, customer: { mailsOff: ['alert'] } });
    await graphql(
      'mutation($id: String!) { archiveCustomer(externalId: $id) { customer { id } } }',
      {
        id: externalId,
      },
    );
    await graphql('mutation($id: ID!) { eraseCustomer(id: $id) { customer { id } } }', { id });
    expect(await offOf(session, id)).toEqual([]);
    await expect(
      switchMails(fresh(session), { customerId: id, off: ['alert'] }),
    ).rejects.toMatchObject({ issues: [{ code: 'INVALID_STATE', path: ['customerId'] }] });
  });
});
