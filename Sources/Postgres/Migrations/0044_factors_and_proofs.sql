-- The passwords that an operator replaced since the person chose one: a new password repeats none of them.
alter table passwords add column former_hashes text[] not null default '{}';

drop function if exists keep_migrated_password(uuid, text, text, text, text, text);

-- Devices on which somebody signed in, so that strangers' failures slow strangers alone: marks by digest, a few for each
-- account, for 180 days and no longer than the password.
create table known_devices (
    account_id uuid not null references accounts on delete cascade,
    digest     bytea not null,
    issued_at  timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (account_id, digest)
);
create index known_devices_expiry on known_devices (expires_at);

-- Of the mark that the device has once the session is made; null where it gets none.
alter type session_request add attribute device_digest bytea cascade;

drop function if exists begin_password_sign_in(text, text, text, bytea[], bigint[], bigint[]);
