import { Migration } from '@mikro-orm/migrations';

const lines = `'{"name": null, "line1": null, "line2": null, "city": null, "state": null, "postal_code": null, "country": null}'::jsonb`;

/** Addresses have all their lines, as reads show them, so that the feed shows the same. */
export class Migration20261122050200 extends Migration {
  override up() {
    this.addSql(`update payment_method set billing_details = jsonb_set(
      '{"name": null, "email": null}'::jsonb || billing_details, '{address}',
      ${lines} || coalesce(nullif(billing_details -> 'address', 'null'), '{}') || jsonb_build_object('address',
        case when jsonb_typeof(billing_details #> '{address,address}') = 'object'
          then ${lines} || (billing_details #> '{address,address}')
          else ${lines} || coalesce(nullif(billing_details -> 'address', 'null'), '{}') - 'address' end))`);
  }
}
