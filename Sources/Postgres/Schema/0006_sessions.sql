-- Sessions and the codes that hand them over.

-- A session is a refresh token family. Only the newest digest is kept; `generation` counts the rotations. It has no foreign keys and
-- one index beside its key, because every sign-in pays for each: the statement that makes a session holds its account,
-- whoever deletes an account or identity holds the account more strongly, and triggers clear up behind them.
create table sessions (
    id              uuid primary key,                  -- of version 7: in the order of time
    account_id      uuid not null,
    client_id       text not null,
    identity_id     uuid,                              -- that it began with; null: none, or no longer the account's
    provider        text not null,                     -- the token's `idp`
    auth_time       timestamptz not null,
    amr             text[] not null,
    acr             text not null,
    proofs          jsonb,                             -- what was proved and with what: a step-up counts nothing twice
    generation      integer not null default 0,
    refresh_digest  bytea not null,
    late_generation integer,                           -- the last generation whose predecessor was repeated late
    late_streak     smallint,                          -- consecutive such generations up to it
    rotated_at      timestamptz not null,
    idle_seconds    integer not null,
    idle_expires_at timestamptz not null,
    expires_at      timestamptz not null,
    -- It began while its client had the permission `administration`, and so with the lives of operators' sessions.
    administers     boolean not null default false,
    claims          jsonb,                             -- additional claims of its tokens
    claims_due_at   timestamptz,                       -- when they are requested again; null: never
    created_at      timestamptz not null default now(),
    ended_at        timestamptz,
    end_reason      text,
    device_name     text,
    address         text,
    user_agent      text
) with (fillfactor = 70);                              -- room for the next version of a row: a rotation touches no index
create index sessions_owner on sessions (account_id);

-- Where the walks of the sweep go on that read a table by its key, because it has no index on what makes a row old.
create table sweep_places (
    name  text primary key,
    after uuid not null default '00000000-0000-0000-0000-000000000000'   -- the last key that was looked at
);
insert into sweep_places (name) values ('sessions'), ('flows'), ('throttles');

-- The session that a sign-in asks for. Lifetimes in seconds.
create type session_request as (
    id             uuid,
    client_id      text,
    provider       text,
    refresh_digest bytea,
    auth_time      timestamptz,
    amr            text[],
    acr            text,
    idle_seconds   integer,
    max_seconds    integer,
    device_name    text,
    address        text,
    user_agent     text,
    request_id     text,
    device_digest  bytea,                              -- of the known-device mark; null: no mark
    administers    boolean,                            -- whether the lives are those of an operator's session
    flow_seconds   integer,                            -- of the flow's first step, where more is due
    device_seconds integer,                            -- of the mark
    most_devices   integer                             -- marks that an account keeps, the newest
);

-- Authorization codes for redirect URIs. The session waits until its code is redeemed, and ends with the code.
create table handover_codes (
    digest       bytea primary key,
    session_id   uuid not null,                        -- a code outlives it by a day at most, and is good for nothing then
    client_id    text not null,
    challenge    text not null,                        -- S256 (RFC 7636 section 4.2)
    redirect_uri text not null,
    idle_seconds integer not null,                     -- the session's idle lifetime once it is redeemed
    expires_at   timestamptz not null,
    spent_at     timestamptz
);
create index handover_codes_expiry on handover_codes (expires_at);
