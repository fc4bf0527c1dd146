import { Migration } from '@mikro-orm/migrations';

/** Every tenant reads the runs of the jobs, and earlier errors named records of any of them. */
export class Migration20261122060100 extends Migration {
  override up() {
    this.addSql(`update "cron_run" set "error" = 'JOB_FAILED' where "error" is not null`);
  }
}
