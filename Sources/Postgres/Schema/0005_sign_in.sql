-- Flows, the replay ledger and rate limits.

-- One row per attempt, bound to its step and spent by the statement that finishes it.
create table flows (
    id           uuid primary key,
    kind         text not null check (kind in ('sign_up', 'link_account', 'sign_in', 'factor', 'address', 'provider')),
    client_id    text not null,
    address_key  text,                                 -- the flow ends when another account proves this address
    account_id   uuid references accounts on delete cascade,
    identity_id  uuid,                                 -- the identity of a sign-in by provider; a link may not have added it yet
    link_flow    uuid,                                 -- the link flow that the sign-in proves
    session_id   uuid,                                 -- the session that a step-up raises, or that adds a factor or an address
    renews       boolean not null default false,       -- a step-up by any dated proof; see SignInFlow
    new_account  boolean not null default false,       -- the sign-in made its account
    proved       boolean not null default false,       -- a sign-up whose code was answered
    proofs       jsonb not null default '[]',          -- the proofs so far
    state        jsonb not null,                       -- the other facts, as the server writes them; versioned, see SignInFlow
    sealed       bytea,                                -- the pending step and its secrets; see FlowProgress
    revision     integer not null default 0,           -- counts the steps: an answer belongs to one revision
    code_digest  bytea,
    tries        smallint not null default 0,          -- wrong answers from where the flow began, or a known place
    foreign_tries smallint not null default 0,         -- wrong answers from elsewhere
    resends      smallint not null default 0,
    resend_after timestamptz,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null
) with (fillfactor = 50);                              -- room for the next version of a row: a step touches no index
create index flows_address on flows (address_key) where address_key is not null;
create index flows_account on flows (account_id) where account_id is not null;

-- The flows of a name, for protocols with calls that name the user instead of the flow.
create table flow_names (
    name       bytea not null,                         -- a keyed digest of the purpose, the client and the name
    flow_id    uuid not null,
    expires_at timestamptz not null,
    primary key (name, flow_id)
);
create index flow_names_expiry on flow_names (expires_at);

-- Invitations: with the link the user of an account that an operator or a back end made sets up the first sign-in method.
create table invitations (
    account_id  uuid primary key references accounts on delete cascade,    -- a further one replaces the former
    digest      bytea not null unique,                 -- of the link's token
    address_key text not null,                         -- the mailbox that got the link
    client_id   text,                                  -- null: the app of the hosted pages
    expires_at  timestamptz not null
);
create index invitations_expiry on invitations (expires_at);

-- The limits of a flow. A guess bucket allows a burst, then one per period.
create type flow_limits as (
    most_tries    integer,                             -- wrong answers to one step
    guess_burst   bigint,
    guess_period  bigint,                              -- in milliseconds
    step_seconds  integer,                             -- per step
    whole_seconds integer                              -- for all steps together
);

-- The replay ledger: digests of spent nonces, provider tokens, web flows and tickets. Each states its expiry, so the key
-- begins with it: the index grows at one end and shrinks at the other.
create table spent (
    expires_at timestamptz not null,
    digest     bytea not null,
    beside     bytea,                                  -- the credential with the nonce; it has no row of its own
    primary key (expires_at, digest)
);

-- The ledger for values without a stated expiry: provider codes, opaque tokens, passkey challenges, forms.
create table spent_codes (
    digest     bytea primary key,
    expires_at timestamptz not null                    -- counted from its use
);
create index spent_codes_expiry on spent_codes (expires_at);

-- Rate limits as theoretical arrival times (GCRA): one row per bucket, shared by all servers. Unlogged: an attempt doesn't
-- wait for the write-ahead log, and a crash or fail-over refills every budget (docs/threat-model.md). No index
-- on `arrival`, which every update changes.
create unlogged table throttles (
    bucket  bytea primary key check (octet_length(bucket) = 16),
    arrival timestamptz not null
) with (fillfactor = 70);                              -- room for the next version of a row: an update touches no index
