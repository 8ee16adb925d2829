-- A session is a refresh token family. Only digests are kept; `generation` counts its rotations.
create table sessions (
    id              uuid primary key,
    account_id      uuid not null references accounts on delete cascade,
    client_id       text not null references clients,
    identity_id     uuid references identities on delete set null,
    provider        text not null,                    -- how the person came in: the token's `idp`
    auth_time       timestamptz not null,
    amr             text[] not null,
    acr             text not null,
    generation      integer not null default 0,
    refresh_digest  bytea not null,
    previous_digest bytea,
    rotated_at      timestamptz not null,
    idle_seconds    integer not null,
    idle_expires_at timestamptz not null,
    expires_at      timestamptz not null,
    created_at      timestamptz not null default now(),
    ended_at        timestamptz,
    end_reason      text,
    device_name     text,
    address         text,
    user_agent      text
) with (fillfactor = 85);
create index sessions_account on sessions (account_id) where ended_at is null;
create index sessions_expiry on sessions (expires_at);
