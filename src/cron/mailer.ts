import type { MikroORM } from '@mikro-orm/postgresql';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { openSession, type Session } from '#domain/kernel/session.ts';
import { presentOf } from '#domain/kernel/values/present.ts';
import {
  type ClaimedMail,
  claimMails,
  claimMilliseconds,
  handOver,
  renewClaim,
} from '#domain/mail/commands/mails/claim-mails.ts';
import { mailSwitchAddress, withLinks } from '#domain/mail/commands/mails/mail-links.ts';
import {
  type MailOutcome,
  recordMailResult,
} from '#domain/mail/commands/mails/record-mail-result.ts';
import {
  recipientOf,
  type WrittenLetter,
  writeMail,
} from '#domain/mail/commands/mails/write-mail.ts';
import { sequenceFeeds } from '#domain/platform/feed/sequence-events.ts';
import { upcomingInvoice } from '#domain/subscriptions/commands/subscriptions/upcoming-invoice.ts';
import { sendBySmtp, smtpServerOf } from './smtp.ts';
import { untilStored } from './until-stored.ts';

const mostAtOnce = 5;
/** New mails are claimed when so many are left, because a claim costs more than the state of a mail. */
const fewLeft = 2;
const farewellMilliseconds = 10_000;
/** How long the result of a mail is tried to be stored, and how long a mail server waits for the database. */
const patience = { ofResult: 600_000, ofServer: 20_000 };
const off = 'Mails are off: SMTP_URL is not set';

/** The settings of a process that sends mails. */
export interface MailerOptions {
  /** The mail server; without it mails of live mode are dropped. */
  readonly smtpUrl: string | undefined;
  /** The address of the sender where an organization has none. */
  readonly mailFrom: string | undefined;
  readonly onFailure: (error: unknown) => void;
}

export interface Mailer extends AsyncDisposable {
  /** Starts the mails that are due at an instant, a few at a time; returns how many there were. */
  sweep(now: Date): Promise<number>;
  /** Resolves when all started mails are done. */
  settled(): Promise<void>;
}

const upcoming = async (session: Session, subscriptionId: string) =>
  (await upcomingInvoice(session, subscriptionId))?.invoice ?? null;

/** Sends due mails of live mode, and catches those of test mode. */
export function createMailer(orm: MikroORM, options: MailerOptions): Mailer {
  const { mailFrom } = options;
  const server = options.smtpUrl === undefined ? undefined : smtpServerOf(options.smtpUrl);
  const onTheirWay = new Set<Promise<void>>();
  let closed = false;
  const isOver = () => closed;

  return {
    sweep,
    settled,
    async [Symbol.asyncDispose]() {
      closed = true;
      const late = new Promise((resolve) => setTimeout(resolve, farewellMilliseconds).unref());
      await Promise.race([settled(), late]);
    },
  };

  async function sweep(now: Date): Promise<number> {
    await sequenceFeeds(orm.em.fork(), options.onFailure);
    for (let started = 0; ; ) {
      while (onTheirWay.size > fewLeft) await Promise.race(onTheirWay);
      if (closed) return started;
      const instant = await notBefore(now);
      const claimed = await claimMails(orm.em.fork(), instant, mostAtOnce - onTheirWay.size);
      for (const mail of claimed) start(mail, instant);
      started += claimed.length;
      if (claimed.length === 0) return started;
    }
  }

  async function settled() {
    while (onTheirWay.size > 0) await Promise.all(onTheirWay);
  }

  function start(mail: ClaimedMail, due: Date) {
    const renewal = setInterval(() => void renew(mail), claimMilliseconds / 3).unref();
    const way = work(mail, due)
      .catch(options.onFailure)
      .finally(() => {
        clearInterval(renewal);
        onTheirWay.delete(way);
      });
    onTheirWay.add(way);
  }

  async function renew(mail: ClaimedMail) {
    const renewed = presentOf(orm.em).then((now) => renewClaim(orm.em.fork(), mail, now));
    await renewed.catch(options.onFailure);
  }

  async function work(mail: ClaimedMail, due: Date) {
    const session = await sessionOf(mail, due);
    const outcome = await resultOf(session, mail);
    // Only this process knows the outcome; a claim that has expired meanwhile is settled all the same.
    await untilStored({ milliseconds: patience.ofResult, isOver }, async () =>
      recordMailResult(await sessionOf(mail, due), mail, outcome),
    );
  }

  async function resultOf(session: Session, mail: ClaimedMail): Promise<MailOutcome> {
    if (mail.livemode && !server) return { status: 'dropped', problem: off };
    const letter = await letterOf(session, mail);
    if ('outdated' in letter) return { status: 'dropped', problem: letter.outdated };
    if (!mail.livemode) return { status: 'caught', problem: null, letter };
    return server ? send(session, server, mail, letter) : { status: 'dropped', problem: off };
  }

  /** The content of the attempt before is sent only to a customer who still wants it. */
  async function letterOf(session: Session, mail: ClaimedMail) {
    if (!mail.letter) return writeMail(session, mail, { mailFrom, upcoming });
    const recipient = await recipientOf(session, mail);
    if ('outdated' in recipient) return recipient;
    const writtenAt = new Date(mail.writtenAt ?? session.now);
    return { ...mail.letter, writtenAt };
  }

  async function send(
    session: Session,
    server: ReturnType<typeof smtpServerOf>,
    mail: ClaimedMail,
    letter: WrittenLetter,
  ): Promise<MailOutcome> {
    const customer = await recipientOf(session, mail);
    if ('outdated' in customer) return { status: 'dropped', problem: customer.outdated };
    const host = letter.sender.replace(/^.*@|>$/g, '');
    const messageId = `${mail.id}.${mail.repeats}@${host}`;
    // The address of the service may have changed since the content was written.
    const switchUrl = mailSwitchAddress(customer, mail.kind);
    const content = await withLinks(session, { ...mail, customer }, letter);
    const outgoing = { ...content, messageId, switchUrl };
    const failures: unknown[] = [];
    const recorded = () =>
      untilStored({ milliseconds: patience.ofServer, isOver }, async () =>
        handOver(orm.em.fork(), mail, letter, await presentOf(orm.em)),
      );
    const { isFinal, ...attempt } = await sendBySmtp(server, outgoing, () =>
      recorded().catch((error) => {
        failures.push(error);
        throw error;
      }),
    );
    // A failure of the database is no answer of the mail server, which has not got the content.
    const failure = failures.find((error) => databaseFailure(error) !== undefined);
    if (failure) {
      options.onFailure(failure);
      return { status: 'pending', problem: null };
    }
    const status = attempt.error === null ? 'sent' : isFinal ? 'failed' : 'pending';
    return { status, problem: attempt.error, letter, attempt };
  }

  async function sessionOf(mail: ClaimedMail, due: Date): Promise<Session> {
    const { id, organizationId, livemode, pricingModelId } = mail;
    const tenant = { organizationId, livemode, pricingModelId, keyType: 'secret' } as const;
    const work = { causeId: 'send-mails', subjectId: id, now: await notBefore(due) };
    return openSession(orm.em, { ...tenant, ...work });
  }

  /** The present by the database's clock, by which other processes claim mails, or a later instant. */
  async function notBefore(instant: Date): Promise<Date> {
    const present = await presentOf(orm.em);
    return present > instant ? present : instant;
  }
}
