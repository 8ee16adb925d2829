-- Unfinished business of a sign-in: one row an attempt, bound to its step, spent by the statement that finishes it.
create table flows (
    id           uuid primary key,
    kind         text not null check (kind in ('sign_up', 'link_account')),
    client_id    text not null references clients on delete cascade,
    address_key  text,                                -- the address it is about, so that it dies with a claim on it
    account_id   uuid references accounts on delete cascade,
    state        jsonb not null,                      -- versioned; see SignInFlow
    code_digest  bytea,
    tries        smallint not null default 0,
    resends      smallint not null default 0,
    resend_after timestamptz,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null
);
create index flows_expiry on flows (expires_at);
create index flows_address on flows (address_key) where address_key is not null;

-- What is good once: server nonces and provider tokens, by digest, until they could not be presented any more.
create table spent (
    digest     bytea primary key,
    expires_at timestamptz not null
);
create index spent_expiry on spent (expires_at);

-- Attempt limits as theoretical arrival times (GCRA): one row a bucket, whichever server counts.
create table throttles (
    bucket  bytea primary key,
    arrival timestamptz not null
) with (fillfactor = 70);
create index throttles_arrival on throttles (arrival);
