-- Sign-ins that are under way, and what limits them.

-- One row per attempt, bound to its step and spent by the statement that finishes it.
create table flows (
    id           uuid primary key,
    kind         text not null check (kind in ('sign_up', 'link_account', 'sign_in', 'factor', 'address', 'provider')),
    client_id    text not null,
    address_key  text,                                 -- the address that it is about: the flow ends when the address is claimed
    account_id   uuid references accounts on delete cascade,
    state        jsonb not null,                       -- versioned; see SignInFlow
    revision     integer not null default 0,           -- counts the steps: an answer is good for one of them
    code_digest  bytea,
    tries        smallint not null default 0,
    resends      smallint not null default 0,
    resend_after timestamptz,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null
);
create index flows_expiry on flows (expires_at);
create index flows_address on flows (address_key) where address_key is not null;
create index flows_account on flows (account_id) where account_id is not null;

-- Server nonces and provider tokens that were used, by digest, until they expire.
create table spent (
    digest     bytea primary key,
    expires_at timestamptz not null
);
create index spent_expiry on spent (expires_at);

-- Rate limits as theoretical arrival times (GCRA): one row per bucket, shared by all servers.
create table throttles (
    bucket  bytea primary key,
    arrival timestamptz not null
) with (fillfactor = 70);
create index throttles_arrival on throttles (arrival);
