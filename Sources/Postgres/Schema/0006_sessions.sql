-- Sessions, and the requests that wait for one.

-- A session is a refresh token family. Only the newest digest is kept; `generation` counts the rotations. It has no foreign keys and
-- one extra index, because every sign-in pays for them. Instead, creating a session locks its account, deleting an account
-- or identity takes a stronger lock, and triggers clean up.
create table sessions (
    id              uuid primary key,                  -- version 7, ordered by time
    account_id      uuid not null,
    client_id       text not null,
    identity_id     uuid,                              -- its first factor; null: none, or unlinked since
    provider        text not null,                     -- the token's `idp`
    auth_time       timestamptz not null,
    amr             text[] not null,
    acr             text not null,
    proofs          jsonb,                             -- the proofs, so that a step-up counts none twice
    generation      integer not null default 0,
    refresh_digest  bytea not null,
    late_generation integer,                           -- the last generation with a late retry
    late_streak     smallint,                          -- consecutive generations with a late retry
    kept_generation integer,                           -- the last generation with a refresh that kept its token
    rotated_at      timestamptz not null,
    refresh_arrival timestamptz,                       -- the budget of its refreshes, as a theoretical arrival time (GCRA)
    idle_seconds    integer not null,
    idle_expires_at timestamptz not null,
    expires_at      timestamptz not null,
    -- It began with the permission `administration`, so the lifetimes of operator sessions apply.
    administers     boolean not null default false,
    claims          jsonb,                             -- additional claims of its tokens
    claims_due_at   timestamptz,                       -- when they are requested again; null: never
    scopes          text[],                            -- of its ID tokens; null: it gets none
    requested_claims jsonb,                            -- single claims that its request names; null: none
    dialect         text check (dialect in ('cognito', 'native_auth')), -- of its tokens; null: the gateway's own
    subject         text,                              -- by which its app knows the user; null: by the account's id
    browser_id      uuid,                              -- the browser's session from which it began; null: none
    outlives_browser boolean not null default false,   -- it goes on after the sign-out of that browser
    actor_id        uuid,                              -- the operator who acts for the user; null: the user itself
    key_thumbprint  text,                              -- of the key to which its refresh token is bound (RFC 9449); null: none
    claimed_at      timestamptz,                       -- when its handover code was redeemed; null: it has none, or not yet
    created_at      timestamptz not null default now(),
    ended_at        timestamptz,
    end_reason      text,
    device_name     text,
    address         text,
    user_agent      text,
    language        text,                              -- of its user's messages: en, de …; null: unknown
    check (actor_id is null or acr = '0')              -- no proof of the user: each rule about proofs refuses an operator
) with (fillfactor = 70);                              -- room for the next version of a row: a rotation touches no index
create index sessions_owner on sessions (account_id);
create index sessions_actor on sessions (actor_id) where actor_id is not null;

-- The cursors of the sweeps that read a table by its primary key, because no index knows the expiry.
create table sweep_places (
    name  text primary key,
    after uuid not null default '00000000-0000-0000-0000-000000000000'   -- the last key read
);
insert into sweep_places (name) values ('sessions'), ('flows'), ('throttles'), ('guests');

-- The parameters of a new session. Lifetimes in seconds.
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
    administers    boolean,                            -- whether the lifetimes of operator sessions apply
    flow_seconds   integer,                            -- of the flow's first step, if a step is due
    device_seconds integer,                            -- of the mark
    most_devices   integer,                            -- the number of marks that an account keeps
    scopes         text[],                             -- of the ID tokens; null: none
    presented_mark bytea,                              -- the digest of the mark that the device presented; null: none
    presented_session uuid,                            -- the session that the device presented, with its secret; null: none
    mails_new_device boolean,                          -- whether a sign-in from a new device is reported by mail
    dialect        text,                               -- of its tokens; null: the gateway's own
    key_thumbprint text,                               -- of the key to which the refresh token is bound; null: none
    language       text                                -- as in the session
);

-- Authorization requests that wait for the user, or that a client pushed (RFC 9126). The code that answers one deletes it.
create table authorization_requests (
    id         uuid primary key,
    client_id  text collate "C" not null,
    parameters jsonb not null,                         -- see AuthorizationParameters
    is_pushed  boolean not null,
    created_at timestamptz not null default now(),
    opened_at  timestamptz,                            -- when a browser brought a pushed one
    expires_at timestamptz not null
);
create index authorization_requests_expiry on authorization_requests (expires_at);

-- Requests of devices that wait for a user to type their code elsewhere (RFC 8628). The poll that gets the session deletes its row.
create table device_requests (
    id               uuid primary key,
    client_id        text collate "C" not null,
    device_digest    bytea not null unique,            -- of the device code
    user_code_digest bytea not null unique,            -- keyed: the code is short
    scopes           text[] not null,                  -- that the device asks for
    state            text not null default 'pending' check (state in ('pending', 'allowed', 'declined')),
    sealed_code      bytea,                            -- the handover code of an allowed one
    interval_seconds integer not null,                 -- between two polls; grows when the device is too fast
    polled_at        timestamptz,
    address          text,                             -- of the device
    user_agent       text,                             -- of the device
    created_at       timestamptz not null default now(),
    expires_at       timestamptz not null,
    check ((state = 'allowed') = (sealed_code is not null))
) with (fillfactor = 70);                              -- a poll touches no index
create index device_requests_expiry on device_requests (expires_at);

-- Ended sessions that an app asks to be told of (OpenID Connect Back-Channel Logout). A row goes once it is delivered or given up.
create table logout_notices (
    session_id uuid primary key,
    account_id uuid not null,
    client_id  text collate "C" not null,
    subject    text,                                   -- as in the session
    tries      smallint not null default 0,
    not_before timestamptz not null default now()      -- also the end of a server's lease
);
