import { Migration } from '@mikro-orm/migrations';

/**
 * Customers have a billing address, tax ids and metadata; organizations a legal name, an address, tax ids and a logo.
 * An invoice gets both parties when it is finalized, and keeps them.
 */
export class Migration20261124060000 extends Migration {
  override name = 'Migration20261124060000';

  override up(): void {
    this.addSql(`create table organization_logo (id varchar(255) not null, organization_id varchar(255) not null,
      livemode boolean not null, created_at timestamptz(3) not null, digest varchar(64) not null, type text not null,
      width int not null, height int not null, content bytea not null, primary key (id),
      constraint organization_logo_digest_unique unique (organization_id, livemode, digest),
      constraint organization_logo_type_check check (type in ('png', 'jpeg')),
      constraint organization_logo_size check (width >= 1 and width <= 1000 and height >= 1 and height <= 1000
        and octet_length(content) <= 100000),
      constraint organization_logo_organization foreign key (organization_id) references organization (id))`);
    this.addSql(`alter table organization_settings add column legal_name varchar(255) null,
      add column address jsonb null, add column tax_ids jsonb not null default '[]',
      add column logo_id varchar(255) null,
      add constraint organization_settings_logo_id_foreign foreign key (logo_id) references organization_logo (id)
        on delete set null,
      add constraint organization_settings_tax_ids
        check (jsonb_typeof(tax_ids) = 'array' and jsonb_array_length(tax_ids) <= 5)`);
    this.addSql(`alter table customer add column billing_address jsonb null,
      add column tax_ids jsonb not null default '[]', add column metadata jsonb null,
      add constraint customer_tax_ids
        check (jsonb_typeof(tax_ids) = 'array' and jsonb_array_length(tax_ids) <= 5)`);
    this.addSql('create index customer_metadata on customer using gin (metadata jsonb_path_ops)');
    this.addSql('alter table invoice add column parties jsonb null');
    this.addSql(`update invoice set parties = jsonb_build_object(
        'seller', jsonb_build_object('name', settings.name, 'address', null, 'taxIds', '[]'::jsonb, 'logoId', null),
        'customer', jsonb_build_object('name', customer.name, 'email', customer.email, 'address', null,
          'taxIds', '[]'::jsonb))
      from customer
        join organization_settings settings
          on settings.organization_id = customer.organization_id and settings.livemode = customer.livemode
      where customer.id = invoice.customer_id and invoice.status <> 'draft'`);
    this.addSql(
      `create function name_parties() returns trigger language plpgsql as 'begin return null; end'`,
    );
    this.addSql(`create trigger parties_named before insert or update of status on invoice for each row
      when (new.status <> 'draft' and new.parties is null) execute function name_parties()`);
    this.addSql(`create trigger parties_kept before update of parties on invoice for each row
      when (old.parties is not null and new.parties is distinct from old.parties) execute function keep_invoice()`);
    this.addSql(
      `create function keep_logo() returns trigger language plpgsql as 'begin return null; end'`,
    );
    this.addSql('create trigger logo_kept before update on organization_logo for each row execute function keep_logo()');
  }
}
