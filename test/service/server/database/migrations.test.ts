// @module-tag long
import { escapeLiteral } from 'pg';
import { expect } from 'vitest';
import { mailSwitchLink } from '#domain/platform/access/mail-switch-link.ts';
import { prepareDatabase } from '#server/database/database.ts';
import { baseline, knownMigrations, pendingMigrations } from '#server/database/migrations.ts';
import { cloneDatabase, emptyDatabase } from '../../../support/database.ts';
import { aProduct, aSubscription } from '../../../support/factories.ts';
import {
  aCardMail,
  aMailer,
  aSendingSession,
  aSentInvoice,
  mailsOf,
} from '../../../support/mails.ts';
import { aMailServer, answer, bodyOf } from '../../../support/outside/mail-server.ts';
import { oldDatabase, query } from '../../../support/servers/old-database.ts';
import { schemaDifference } from '../../../support/tables/schema-difference.ts';
import { schemaOf } from '../../../support/tables/schema-of.ts';
import { aTenant } from '../../../support/tenant.ts';
import { test } from '../../../support/test.ts';

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
  expect(before.filter((rows) => rows.length === 0)).toEqual([]);
  const reports: string[] = [];
  await prepareDatabase(old.databaseUrl, { now, report: (line) => reports.push(line) });
  expect(await schemaOf(old.databaseUrl)).toEqual(await schemaOf(database.databaseUrl));
  // Each step that is applied to a database with data leaves a line before it and after it.
  expect(reports).toEqual(linesOf(afterBaseline));
  const applied = await query(old.databaseUrl, 'select name from mikro_orm_migrations');
  expect(pendingMigrations(applied.map(({ name }) => name))).toEqual([]);
  expect(await countsOf(old.databaseUrl)).toEqual(counts);
  expect(await read()).toEqual(before);
});

test('an upgraded database works, and its books agree', async () => {
  await using old = await oldDatabase();
  await prepareDatabase(old.databaseUrl, { now });
  const [claimed] = await query(
    old.databaseUrl,
    `select claim.* from subscription s join subscription_item_feature f on f.subscription_id = s.id
       join resource r on r.id = f.resource_id,
       lateral claim_resource(s.id, s.pricing_model_id, r.slug, greatest(now(), s.updated_at), 1, null, null, 0, 100, 100, 10, 'system start test') as claim
     where s.status = 'active' limit 1`,
  );
  expect(claimed).toMatchObject({ outcome: 'claimed' });
  expect(
    await query(
      old.databaseUrl,
      `select type, actor_type, cause_id from event where object_id = '${claimed.claims[0].id}'`,
    ),
  ).toEqual([{ type: 'resource_claim.created', actor_type: 'system', cause_id: 'test' }]);
  const [books] = await query(
    old.databaseUrl,
    `select bool_and(invoices - credit_notes - opening - prepaid - payments + refunds = outstanding + balances) as agree
     from books_of(array(select id from customer))`,
  );
  expect(books).toEqual({ agree: true });
});

test('the tables of a new database are those of the entities', async ({ database }) => {
  expect(await schemaDifference(database.orm)).toEqual([]);
});

test('a migration has the next number, so that every database executes it last', async () => {
  const numbers = knownMigrations
    .slice(1)
    .map((name) => Number(/^Migration(\d{4})$/.exec(name)?.[1]));
  expect(numbers).toEqual(numbers.map((_, place) => 3_001 + place));
});

/** Takes a database to the version before mails had hidden links. */
const beforeHiddenLinks = `
  drop trigger links_hidden on mail; drop function hide_mail_links; drop function hide_links;
  delete from sql_function where name in ('hide_mail_links', 'hide_links');
  alter table mail drop column written_at; alter table customer drop column link_epoch;
  alter table mail_settings drop column portal_link_days, add constraint mail_settings_days check (renewal_days > 0);
  delete from mikro_orm_migrations where name = 'Migration3001'`;

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

test('names of items lose the quantity that an earlier version gave them, and given names stay', async () => {
  await using old = await cloneDatabase();
  const { session } = await aTenant(old.orm.em);
  const long = 'L'.repeat(255);
  const named = async (name: string, stored: string) => {
    const product = await aProduct(session, { name });
    const priceId = (await product.prices.loadItems())[0]?.id ?? '';
    const { id } = await aSubscription(session, { priceId, quantity: 5, doNotCharge: true });
    await query(
      old.databaseUrl,
      `update subscription_item set name = ${escapeLiteral(stored)} where subscription_id = '${id}';
       update billing_period_item set name = ${escapeLiteral(stored)} where billing_period_id in
         (select id from billing_period where subscription_id = '${id}');
       update subscription set name = ${escapeLiteral(stored)} where id = '${id}'`,
    );
    return id;
  };
  const ids = [
    await named('Team', 'Team x 5'),
    await named(long, `${'L'.repeat(250)}… x 5`),
    await named('Team x 5', 'Team x 5'),
    await named('Team', 'Garden 4 x 4'),
  ];
  await query(old.databaseUrl, `delete from mikro_orm_migrations where name = 'Migration3002'`);
  await prepareDatabase(old.databaseUrl, { now });
  const rows = await query(
    old.databaseUrl,
    `select s.id, s.name, i.name as item, b.name as billed from subscription s
     join subscription_item i on i.subscription_id = s.id
     join billing_period p on p.subscription_id = s.id
     join billing_period_item b on b.billing_period_id = p.id`,
  );
  const names = new Map(rows.map(({ id, name, item, billed }) => [id, [name, item, billed]]));
  const cut = `${'L'.repeat(250)}…`;
  expect(ids.map((id) => names.get(id))).toEqual([
    ['Team', 'Team', 'Team'],
    [cut, cut, cut],
    ['Team x 5', 'Team x 5', 'Team x 5'],
    ['Garden 4 x 4', 'Garden 4 x 4', 'Garden 4 x 4'],
  ]);
});

test('a database that is too old is refused, and stays as it is', async () => {
  await using old = await oldDatabase();
  await query(old.databaseUrl, `delete from mikro_orm_migrations where name = '${baseline}'`);
  await expect(prepareDatabase(old.databaseUrl, { now })).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(
      /^DATABASE_URL .* too old .* Migration20270112010000, .* Migration20270114010000$/,
    ),
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
