-- Identities at providers, their tokens and events.

-- Provider, realm and subject identify a user, compared as bytes. An e-mail address never does.
create table identities (
    id               uuid primary key,
    account_id       uuid not null references accounts on delete cascade,
    provider         text collate "C" not null,
    realm            text collate "C" not null,
    subject          text collate "C" not null check (octet_length(subject) between 1 and 255),
    email            text,                             -- the provider's latest value; never used in a decision
    email_verified   boolean not null default false,
    email_is_relay   boolean not null default false,
    display_name     text,
    linked_by        text not null,                    -- the linking rule that created the row
    linked_at        timestamptz not null default now(),
    joined_at        timestamptz,                      -- when it moved here from another account
    joined_by        joined_by,   -- who moved it; an operator's mark stays
    revoked_at       timestamptz,                      -- the user withdrew consent; a sign-in clears it
    transfer_subject text collate "C",                 -- the subject at the developer team that the app moves to
    transfer_realm   text collate "C",
    added_by         uuid,                             -- the session, or the flow of a sign-in, that linked it; null: none did
    constraint identities_subject unique (subject, provider, realm),   -- subject first, because operators search by it alone
    constraint identities_transfer check ((transfer_subject is null) = (transfer_realm is null))
);
create index identities_account on identities (account_id);
create unique index identities_transfer_subject on identities (provider, transfer_subject) where transfer_subject is not null;

-- The verified assertions of a provider about a user.
create type identity_facts as (
    provider       text,
    realm          text,
    subject        text,
    email          text,
    email_verified boolean,
    email_is_relay boolean,
    display_name   text
);

-- The account that a sign-in creates for an unknown identity, if no account has its address.
create type new_account as (
    account       uuid,
    identity      uuid,
    facts         identity_facts,
    address       text,
    address_key   text,
    takes_address boolean,                             -- the address is proved
    rule          text,
    explain       jsonb
);

-- Refresh tokens of providers, sealed with the master key. They are revoked with the account.
create table provider_tokens (
    identity_id  uuid not null references identities on delete cascade,
    client_id    text not null,                        -- the provider's client id that the token was issued to
    kind         text not null check (kind in ('refresh')),
    sealed       bytea not null,
    stored_at    timestamptz not null default now(),
    checked_at   timestamptz,
    check_due_at timestamptz not null default now() + interval '1 day',
    doubtful_at  timestamptz,                          -- the provider's answer was ambiguous; of an earlier token if before stored_at
    primary key (identity_id, client_id, kind)
);
create index provider_tokens_check on provider_tokens (check_due_at);
create index provider_tokens_doubtful on provider_tokens (doubtful_at) where doubtful_at is not null;

-- Tokens to be revoked at their provider. A row outlives its identity and its account; a settled row keeps no token.
create table provider_revocations (
    id            uuid primary key default gen_random_uuid(),
    provider      text collate "C" not null,
    client_id     text not null,                       -- the provider's client id that the token was issued to
    kind          text not null,
    sealed        bytea,
    identity_id   uuid not null,
    account_id    uuid not null,
    state         text not null default 'waiting' check (state in ('waiting', 'revoked', 'refused', 'given_up')),
    tries         integer not null default 0,          -- claims; the number of the newest claim settles the row
    not_before    timestamptz not null default now(),
    claimed_until timestamptz,                         -- until then one server owns the row
    last_error    text,
    queued_at     timestamptz not null default now(),
    settled_at    timestamptz,
    expires_at    timestamptz not null default now() + interval '30 days',
    check ((state = 'waiting') = (sealed is not null))
);
create index provider_revocations_due on provider_revocations (greatest(not_before, claimed_until)) where state = 'waiting';
create index provider_revocations_age on provider_revocations (queued_at);

-- Provider notifications by id: each takes effect once. The retention exceeds the age limit of notifications.
create table provider_notifications (
    provider    text collate "C" not null,
    id          text collate "C" not null,
    received_at timestamptz not null default now(),
    primary key (provider, id)
);
create index provider_notifications_age on provider_notifications (received_at);

-- The newest applied event of each kind.
create table identity_events (
    identity_id uuid not null references identities on delete cascade,
    kind        text not null check (kind in ('email', 'consent_revoked', 'account_deleted')),
    event_at    timestamptz not null,
    primary key (identity_id, kind)
);
