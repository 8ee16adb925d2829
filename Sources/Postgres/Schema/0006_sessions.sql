-- Sessions and the codes that hand them over.

-- A session is a refresh token family. Only digests are kept; `generation` counts the rotations.
create table sessions (
    id              uuid primary key,
    account_id      uuid not null references accounts on delete cascade,
    client_id       text not null,
    identity_id     uuid references identities on delete set null,
    provider        text not null,                     -- the token's `idp`
    auth_time       timestamptz not null,
    amr             text[] not null,
    acr             text not null,
    proofs          jsonb,                             -- what was proved and with what: a step-up counts nothing twice
    generation      integer not null default 0,
    refresh_digest  bytea not null,
    previous_digest bytea,
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
) with (fillfactor = 85);
create index sessions_account on sessions (account_id) where ended_at is null;
create index sessions_owner on sessions (account_id);
create index sessions_expiry on sessions (expires_at);
create index sessions_identity on sessions (identity_id, created_at) where identity_id is not null;

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
    administers    boolean                             -- whether the lives are those of an operator's session
);

-- Authorization codes for redirect URIs. The session waits until its code is redeemed, and ends with the code.
create table handover_codes (
    digest       bytea primary key,
    session_id   uuid not null references sessions on delete cascade,
    client_id    text not null,
    challenge    text not null,                        -- S256 (RFC 7636 section 4.2)
    redirect_uri text not null,
    idle_seconds integer not null,                     -- the session's idle lifetime once it is redeemed
    expires_at   timestamptz not null,
    spent_at     timestamptz
);
create index handover_codes_expiry on handover_codes (expires_at);
create index handover_codes_session on handover_codes (session_id);
