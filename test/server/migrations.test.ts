import path from 'node:path';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { escapeLiteral } from 'pg';
import { expect } from 'vitest';
import { mailSwitchLink } from '#domain/rules/access/mail-switch-link.ts';
import { root } from '#root';
import {
  baseline,
  beforeBaseline,
  beforeBaselineFolder,
  knownMigrations,
} from '#server/database/migrations.ts';
import { prepareDatabase } from '#server/database.ts';
import ormConfig from '../../mikro-orm.config.ts';
import { cloneDatabase, emptyDatabase } from '../support/database.ts';
import { aMailServer, answer, bodyOf } from '../support/mail-server.ts';
import { aCardMail, aMailer, aSendingSession, aSentInvoice, mailsOf } from '../support/mails.ts';
import { oldDatabase, query } from '../support/old-database.ts';
import { schemaOf } from '../support/schema-of.ts';
import { aTenant, test } from '../support/test.ts';

const now = new Date();
const afterBaseline = knownMigrations.filter((name) => name > baseline);

/** How many rows each table has, but those that a start writes. */
async function countsOf(databaseUrl: string): Promise<Record<string, number>> {
  const tables = await query(
    databaseUrl,
    `select c.oid::regclass::text as name from pg_class c where relnamespace = 'public'::regnamespace
       and relkind = 'r' and relname not in ('mikro_orm_migrations', 'sql_function', 'secrets_key')`,
  );
  const rows = await query(
    databaseUrl,
    tables
      .map(({ name }) => `select '${name}' as name, count(*)::int from ${name}`)
      .join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** The columns of a few records that the upgrade must not change. */
const samples = {
  invoices: `select id, invoice_number, status, total::int, credit_applied::int from invoice order by id`,
  lines: `select id, invoice_id, position::int, amount::int, quantity from invoice_line_item order by id`,
  payments: 'select id, status, amount::int, refunded_amount::int from payment order by id',
  claims: `select id, external_id, claimed_at, released_at, release_reason, expired_at from resource_claim order by id`,
  claimed: `select subscription_id, sum(claimed)::int as claimed from resource_claim_count group by 1 order by 1`,
  balances: `select id, usage, credits, overage, granted, expired, billed from usage_meter_balance order by id`,
  ledger: `select id, type, usage, credits, overage, granted, expired, billed from ledger_transaction order by id`,
  usage: 'select id, amount, transaction_id, usage_date from usage_event order by id',
  feed: 'select sequence::int, id, type, object_id from event where sequence is not null order by sequence',
};

const linesOf = (names: readonly string[]) =>
  names.flatMap((name) => [
    `Applying the migration ${name}`,
    expect.stringMatching(new RegExp(`^The migration ${name} has taken \\d+ ms$`)),
  ]);

test('a database of the oldest version is upgraded with its data', async ({ database }) => {
  await using old = await oldDatabase();
  const read = () => Promise.all(Object.values(samples).map((sql) => query(old.databaseUrl, sql)));
  const counts = await countsOf(old.databaseUrl);
  const before = await read();
  const reports: string[] = [];
  await prepareDatabase(old.databaseUrl, { now, report: (line) => reports.push(line) });
  expect(await schemaOf(old.databaseUrl)).toEqual(await schemaOf(database.databaseUrl));
  // Each step that is applied to a database with data leaves a line before it and after it.
  expect(reports).toEqual(linesOf([...beforeBaseline, ...afterBaseline]));
  expect(
    await query(old.databaseUrl, 'select name from mikro_orm_migrations order by name'),
  ).toEqual(knownMigrations.map((name) => ({ name })));

  expect(await countsOf(old.databaseUrl)).toMatchObject({
    ...counts,
    // Totals that were kept for each connection are merged, and each mode has settings and a feed of its own.
    row_count: expect.any(Number),
    revenue_day: expect.any(Number),
    organization_settings: 2,
    event_head: 2,
  });
  expect(await read()).toEqual(before);
  // No reader has a place beyond the end of its feed.
  const [{ behind }] = await query(
    old.databaseUrl,
    `select count(*)::int as behind from event_head where sequence < (select max(sequence) from event)`,
  );
  expect(behind).toBe(0);
  expect(
    await query(
      old.databaseUrl,
      `select rows::int, (select count(*)::int from invoice) as count from row_count where relation = 'invoice'`,
    ),
  ).toEqual([{ rows: 4, count: 4 }]);
});

test('statistics include the subscriptions that existed before', async () => {
  await using old = await oldDatabase();
  await prepareDatabase(old.databaseUrl, { now });
  const [counted] = await query(
    old.databaseUrl,
    `select sum(amount) filter (where series like 'mrr_%' and product_id = '') as mrr,
       sum(amount) filter (where series like 'mrr_%' and product_id <> '') as "mrrOfProducts",
       sum(count) filter (where series = 'status_active')::int as active,
       sum(count) filter (where series = 'status_canceled')::int as canceled
     from statistic_day`,
  );
  const [present] = await query(
    old.databaseUrl,
    `select (select sum(unit_price * quantity * month_parts(s."interval") / 84.0 / s.interval_count) from subscription s
         join subscription_item i on i.subscription_id = s.id
         where s.status in ('active', 'past_due', 'cancellation_scheduled', 'unpaid') and not s.is_free_plan
           and not s.do_not_charge and i.expired_at is null) as mrr,
       count(*) filter (where status = 'active')::int as active,
       count(*) filter (where status = 'canceled')::int as canceled
     from subscription`,
  );
  const { mrr, ...counts } = present;
  expect(Number(mrr)).toBeGreaterThan(0);
  expect(counted).toMatchObject(counts);
  expect([Number(counted.mrr), Number(counted.mrrOfProducts)]).toEqual([Number(mrr), Number(mrr)]);
});

test('customers, subscriptions and refunds of an upgraded database have the currency of their records', async () => {
  await using old = await oldDatabase();
  await prepareDatabase(old.databaseUrl, { now });
  expect(
    await query(
      old.databaseUrl,
      `select exists (select from invoice i join customer c on c.id = i.customer_id where i.currency = c.currency) as billed,
         exists (select from customer c where currency is null
           and exists (select from invoice i where i.customer_id = c.id)) as forgotten,
         exists (select from subscription s join price p on p.id = s.price_id where s.currency <> p.currency) as other,
         exists (select from refund r join payment p on p.id = r.payment_id where r.currency <> p.currency) as refunded`,
    ),
  ).toEqual([{ billed: true, forgotten: false, other: false, refunded: false }]);
});

test('an upgraded database works', async () => {
  await using old = await oldDatabase();
  await prepareDatabase(old.databaseUrl, { now });
  const [claimed] = await query(
    old.databaseUrl,
    `select claim.* from subscription s join subscription_item_feature f on f.subscription_id = s.id
       join resource r on r.id = f.resource_id,
       lateral claim_resource(s.id, s.pricing_model_id, r.slug, now(), 1, null, null, 0, 100, 100, 10, 'system start test') as claim
     where s.status = 'active' and s.test_clock_id is null`,
  );
  expect(claimed).toMatchObject({ outcome: 'claimed', capacity: '5', claimed: '3', reserved: '0' });
  expect(
    await query(
      old.databaseUrl,
      `select type, actor_type, cause_id from event where object_id = '${claimed.claims[0].id}'`,
    ),
  ).toEqual([{ type: 'resource_claim.created', actor_type: 'system', cause_id: 'test' }]);
});

test('invoices and billing runs of an upgraded database have their purpose', async () => {
  await using old = await oldDatabase();
  const flags = (table: string) =>
    query(old.databaseUrl, `select id, is_adjustment as flag from ${table} order by id`);
  const [invoices, runs] = [await flags('invoice'), await flags('billing_run')];
  await prepareDatabase(old.databaseUrl, { now });
  const purposes = (table: string) =>
    query(
      old.databaseUrl,
      `select id, purpose not in ('period', 'manual') as flag from ${table} order by id`,
    );
  expect(await purposes('invoice')).toEqual(invoices);
  expect(await purposes('billing_run')).toEqual(runs);
  await expect(
    query(old.databaseUrl, `update invoice set purpose = 'manual' where type = 'subscription'`),
  ).rejects.toMatchObject({ constraint: 'invoice_purpose' });
  await expect(
    query(old.databaseUrl, `update billing_run set purpose = 'adjustment'`),
  ).rejects.toMatchObject({ constraint: 'billing_run_adjusts' });
});

test('the books of an upgraded database agree, also after what is changed later', async () => {
  await using old = await oldDatabase();
  const { databaseUrl } = old;
  // Invoices that were written off, and credit that no document explains.
  await query(databaseUrl, `update invoice set status = 'uncollectible' where status = 'open'`);
  await query(databaseUrl, 'update customer set credit_balance = credit_balance + 70');
  await prepareDatabase(databaseUrl, { now });
  const books = () =>
    query(
      databaseUrl,
      `select sum(opening)::int as opening, sum(refunds)::int as refunds, sum(credit_notes)::int as "creditNotes",
         bool_and(invoices - credit_notes - opening - prepaid - payments + refunds = outstanding + balances) as agree
       from books_of(array(select id from customer))`,
    );
  const [upgraded] = await books();
  expect(upgraded).toMatchObject({ agree: true, creditNotes: expect.any(Number) });
  expect(upgraded.refunds).toBeGreaterThan(0);
  expect(upgraded.creditNotes).toBeGreaterThanOrEqual(upgraded.refunds);
  expect(upgraded.opening).toBeGreaterThan(0);
  await query(databaseUrl, `update invoice set status = 'void' where status = 'uncollectible'`);
  expect(await books()).toMatchObject([{ agree: true, opening: upgraded.opening }]);
});

test('totals that were kept for each connection are merged', async () => {
  await using old = await oldDatabase();
  await query(
    old.databaseUrl,
    `insert into row_count (relation, pricing_model_id, backend, rows)
       select 'product', 'pricing_model_x', n, 2 from generate_series(0, 999) n;
     insert into revenue_day (pricing_model_id, currency, day, backend, invoiced, paid, refunded)
       select 'pricing_model_x', 'USD', date '2026-01-01', n, 3, 2, 1 from generate_series(0, 999) n`,
  );
  await prepareDatabase(old.databaseUrl, { now });
  expect(
    await query(
      old.databaseUrl,
      `select relation, rows::int, invoiced::int, paid::int, refunded::int
       from row_count join revenue_day using (pricing_model_id) where pricing_model_id = 'pricing_model_x'`,
    ),
  ).toEqual([{ relation: 'product', rows: 2_000, invoiced: 3_000, paid: 2_000, refunded: 1_000 }]);
});

test('a database of the last version before the baseline has only the last step to the baseline to go', async ({
  database,
}) => {
  await using old = await oldDatabase();
  const migrationsList = await Promise.all(
    beforeBaseline.slice(0, -1).map(async (name) => {
      const file = await import(path.join(root, beforeBaselineFolder, `${name}.ts`));
      return { name, class: file[name] as never };
    }),
  );
  const orm = await MikroORM.init({
    ...ormConfig,
    extensions: [Migrator],
    clientUrl: old.databaseUrl,
    migrations: { ...ormConfig.migrations, silent: true, migrationsList },
  });
  await orm.migrator.up();
  await orm.close();
  const reports: string[] = [];
  await prepareDatabase(old.databaseUrl, { now, report: (line) => reports.push(line) });
  expect(reports).toEqual(linesOf([...beforeBaseline.slice(-1), ...afterBaseline]));
  expect(await schemaOf(old.databaseUrl)).toEqual(await schemaOf(database.databaseUrl));
});

/** Takes a database to the version before mails had hidden links. */
const beforeHiddenLinks = `
  drop trigger links_hidden on mail; drop function hide_mail_links; drop function hide_links;
  delete from sql_function where name in ('hide_mail_links', 'hide_links');
  alter table mail drop column written_at; alter table customer drop column link_epoch;
  alter table mail_settings drop column portal_link_days, add constraint mail_settings_days check (renewal_days > 0);
  delete from mikro_orm_migrations where name = 'Migration20270115010000'`;

test('the stored mails of an earlier version lose their working links, and are sent with working ones', async () => {
  await using old = await cloneDatabase();
  const { orm, databaseUrl } = old;
  const { session } = await aTenant(orm.em);
  const live = await aSendingSession(session);
  let isBusy = true;
  const contents: string[] = [];
  const server = await aMailServer({
    async onContent(source) {
      contents.push(source);
      if (isBusy) throw answer(421, 'busy');
    },
  });
  await aSentInvoice(live);
  await aCardMail(live);
  const mailer = aMailer(orm, server.url);
  await mailer.send();
  const [sent] = contents.filter((content) => content.includes('/documents/'));
  const [hidden] = await mailsOf(live);
  // What was sent is what that version stored.
  await query(databaseUrl, beforeHiddenLinks);
  const mail = { from: '', to: [], source: sent ?? '' };
  const text = bodyOf(mail, 'text/plain');
  const html = bodyOf(mail, 'text/html');
  const link = mailSwitchLink({ customerId: 'cust_1', kind: 'alert', epoch: 0 });
  const columns = [text, html, `550 refused ${text}`].map((each) => escapeLiteral(each)).join(', ');
  await query(
    databaseUrl,
    `update mail set (text, html, problem) = (${columns}) where kind = 'invoice';
     update mail set text = text || E'\n${link}.', html = html || '<a href="${link}">x</a>',
       attempts = jsonb_build_array(jsonb_build_object('response', ${escapeLiteral(`${link} "quoted"`)}::text))
       where kind = 'card_expiring'`,
  );
  const stored = async () =>
    (await query(databaseUrl, 'select jsonb_agg(to_jsonb(mail))::text as text from mail'))[0].text;
  expect(await stored()).toMatch(/signature=[\w-]{43}/);
  await prepareDatabase(databaseUrl, { now });
  const mended = await stored();
  expect(mended).not.toMatch(/signature=(?!hidden)|\.[\w-]{43}\b/);
  const [invoice, card] = await mailsOf(live);
  expect([invoice?.text, invoice?.html]).toEqual([hidden?.text, hidden?.html]);
  expect(card?.text).toMatch(/\n\/mail-switch\/hidden\.$/);
  expect(card?.attempts).toEqual([{ response: '/mail-switch/hidden "quoted"' }]);
  isBusy = false;
  await mailer.send(new Date(Date.now() + 3_600_000));
  const again = server.received.find(({ source }) => source.includes('/documents/'));
  expect(bodyOf(again ?? mail, 'text/plain')).toMatch(/\/portal\/open\/\S+\.[\w-]{43}\?/);
  expect(bodyOf(again ?? mail, 'text/html')).toMatch(/expires=\d+&amp;signature=[\w-]{43}/);
});

test('a database that is too old is refused, and stays as it is', async () => {
  await using old = await oldDatabase();
  await query(
    old.databaseUrl,
    `delete from mikro_orm_migrations where name = 'Migration20261121193000'`,
  );
  await expect(prepareDatabase(old.databaseUrl, { now })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/^DATABASE_URL .* too old .* Migration20261121192000$/),
  });
});

test('a database of a newer version is refused, and stays as it is', async () => {
  await using newer = await cloneDatabase();
  await query(
    newer.databaseUrl,
    `insert into mikro_orm_migrations (name) values ('Migration29990101000000')`,
  );
  await expect(prepareDatabase(newer.databaseUrl, { now })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/^DATABASE_URL .* newer version.*Migration29990101000000/),
  });
});

test('a role without the rights that migrations need is refused with the rights to grant, in one line', async () => {
  await using empty = await emptyDatabase();
  const role = `role_${crypto.randomUUID().slice(0, 8)}`;
  await query(empty.databaseUrl, `create role ${role} login password 'secret'`);
  const address = new URL(empty.databaseUrl);
  const { pathname } = address;
  address.username = role;
  address.password = 'secret';
  const refused = (message: string) =>
    expect(prepareDatabase(address.href, { now })).rejects.toMatchObject({
      name: 'ConfigError',
      message: `DATABASE_URL ${address.host}${pathname} cannot be used: ${message}`,
    });
  try {
    await refused(
      `the role ${role} may not create tables; run as the owner of the database: grant create, usage on schema public to "${role}"`,
    );
    await query(empty.databaseUrl, `grant create, usage on schema public to ${role}`);
    await refused(
      `the role ${role} may not install the extension btree_gist; run as a superuser: create extension btree_gist, or grant create on database "${pathname.slice(1)}" to "${role}"`,
    );
    await query(empty.databaseUrl, 'create extension btree_gist');
    await refused(
      `the role ${role} has no schema for rehearsals of billing; run as a superuser: create schema if not exists "public_rehearsal"; grant create, usage on schema "public_rehearsal" to "${role}", or grant create on database "${pathname.slice(1)}" to "${role}"`,
    );
    await query(
      empty.databaseUrl,
      `create schema public_rehearsal; grant create, usage on schema public_rehearsal to ${role}`,
    );
    expect(await prepareDatabase(address.href, { now })).toMatch(/^sk_test_/);
  } finally {
    await query(empty.databaseUrl, `drop owned by ${role} cascade`);
    await query(empty.databaseUrl, `drop role ${role}`);
  }
});
