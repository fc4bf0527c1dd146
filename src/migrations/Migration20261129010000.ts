import { Migration } from '@mikro-orm/migrations';

/** Operators, their sessions and invitations, and the failed sign-ins that limit further ones. */
export class Migration20261129010000 extends Migration {
  override name = 'Migration20261129010000';

  override up(): void {
    const roles = `('owner', 'finance', 'developer', 'support')`;
    this.addSql(`create table operator (
      id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null, version int not null default 1, organization_id varchar(255) not null,
      email varchar(255) not null, name varchar(255) not null, role text not null, active boolean not null default true,
      last_sign_in_at timestamptz(3), last_failed_sign_in_at timestamptz(3), password_changed_at timestamptz(3),
      second_factor_at timestamptz(3), password_hash text, totp_secret text, pending_totp_secret text, totp_step int,
      recovery_codes jsonb not null default '[]', oidc_identity text,
      primary key (id),
      constraint operator_email_unique unique (email),
      constraint operator_owner_unique unique (id, organization_id),
      constraint operator_organization foreign key (organization_id) references organization (id),
      constraint operator_role_check check (role in ${roles}),
      constraint operator_email check (email = lower(email)),
      constraint operator_second_factor check ((totp_secret is null) = (second_factor_at is null))
    )`);
    this.addSql(
      'create index operator_page on operator (organization_id, created_at, position, id)',
    );

    this.addSql(`create table operator_invitation (
      id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null, version int not null default 1, organization_id varchar(255) not null,
      email varchar(255) not null, name varchar(255), role text not null, operator_id varchar(255),
      expires_at timestamptz(3) not null, accepted_at timestamptz(3), revoked_at timestamptz(3),
      hash_text varchar(64) not null,
      primary key (id),
      constraint operator_invitation_hash_text_unique unique (hash_text),
      constraint operator_invitation_organization foreign key (organization_id) references organization (id),
      constraint operator_invitation_operator_id_foreign foreign key (operator_id) references operator (id)
        on delete cascade,
      constraint operator_invitation_owner foreign key (operator_id, organization_id)
        references operator (id, organization_id) on delete cascade,
      constraint operator_invitation_role_check check (role in ${roles}),
      constraint operator_invitation_email check (email = lower(email)),
      constraint operator_invitation_end check (accepted_at is null or revoked_at is null)
    )`);
    this.addSql(`create unique index operator_invitation_pending_unique
      on operator_invitation (organization_id, email) where accepted_at is null and revoked_at is null`);
    this.addSql(`create index operator_invitation_page
      on operator_invitation (organization_id, created_at, position, id)`);
    this.addSql('create index operator_invitation_operator on operator_invitation (operator_id)');

    this.addSql(`create table operator_session (
      id varchar(255) not null, position bigserial, created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null, version int not null default 1, organization_id varchar(255) not null,
      operator_id varchar(255) not null, method text not null, expires_at timestamptz(3) not null,
      revoked_at timestamptz(3), last_seen_at timestamptz(3) not null, hash_text varchar(64) not null,
      user_agent text, address text,
      primary key (id),
      constraint operator_session_hash_text_unique unique (hash_text),
      constraint operator_session_organization foreign key (organization_id) references organization (id),
      constraint operator_session_operator_id_foreign foreign key (operator_id) references operator (id)
        on delete cascade,
      constraint operator_session_owner foreign key (operator_id, organization_id)
        references operator (id, organization_id) on delete cascade,
      constraint operator_session_method_check check (method in ('password', 'invitation', 'oidc')),
      constraint operator_session_life check (expires_at > created_at)
    )`);
    this.addSql('create index operator_session_operator on operator_session (operator_id, created_at)');
    this.addSql('create index operator_session_age on operator_session (expires_at)');

    this.addSql(`create table sign_in_attempt (
      id varchar(64) not null, failures int not null, failed_at timestamptz(3) not null,
      blocked_until timestamptz(3) not null,
      primary key (id)
    )`);
    this.addSql('create index sign_in_attempt_age on sign_in_attempt (failed_at)');
  }
}
