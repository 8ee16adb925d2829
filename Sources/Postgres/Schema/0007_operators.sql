-- Operators, and the indexes that their searches use.

create table operators (
    account_id uuid primary key references accounts,   -- an operator's account can't be deleted before the role
    role       text not null check (role in ('viewer', 'support', 'admin', 'owner')),
    granted_by uuid,                                   -- the operator; null: the command line
    granted_at timestamptz not null default now()
);

-- Keys with which a client's back end acts as an operator, without a session.
create table access_keys (
    id            text collate "C" primary key check (id ~ '^[A-Z2-7]{20}$'),
    actor_id      uuid not null unique default gen_random_uuid(),    -- the actor of its changes
    client_id     text not null references clients,
    role          text not null check (role in ('viewer', 'support', 'admin')),
    reach         text not null default 'pool' check (reach in ('pool', 'gateway')),   -- see reached_accounts
    secret_digest bytea,                               -- null: the client authenticates itself (client credentials)
    secret_sealed bytea,                               -- the key of an HMAC over requests; null: no signatures
    networks      text[] not null default '{}',        -- the only ones from which it works; empty: all
    issued_by     uuid,                                -- the operator; null: the command line
    issued_at     timestamptz not null default now(),
    expires_at    timestamptz,                         -- null: never
    revoked_at    timestamptz,
    check (secret_digest is not null or secret_sealed is null)
);
create index access_keys_client on access_keys (client_id);

-- The last use of each key, to the minute. A table of its own, so that a note waits for no lock on the key.
create table access_key_uses (
    key_id  text collate "C" primary key references access_keys on delete cascade,
    used_at timestamptz not null
);

-- The answers to calls with an Idempotency-Key, for 24 hours. The transaction that creates an object writes the row.
create table idempotent_calls (
    digest         bytea primary key,                  -- of the actor and the key
    request_sealed bytea not null,                     -- the digest of the method, the path and the body
    answer_sealed  bytea,                              -- null until the answer is known
    expires_at     timestamptz not null
);
create index idempotent_calls_expiry on idempotent_calls (expires_at);

-- New owners that need confirmation by a second owner, if the setting requires it.
create table owner_proposals (
    account_id  uuid primary key references accounts on delete cascade,
    proposed_by uuid not null references accounts on delete cascade,
    proposed_at timestamptz not null default now()
);

-- Search terms of accounts, compared as bytes: one index serves the search and its order. Addresses, numbers, user names, ids
-- and subjects have their own indexes. The sealer fills the table (refresh_search_terms), not the requests. A search also
-- reads unsealed changes; until then a former name is found too.
create table search_terms (
    kind       text not null check (kind in ('name', 'last_name', 'reported_email')),
    term       text collate "C" not null,
    account_id uuid not null,                          -- no foreign key: the sealer locks no account
    primary key (kind, term, account_id)
);
create index search_terms_account on search_terms (account_id);
