-- Who somebody is at a provider: (provider, realm, subject), compared as bytes. E-mail never identifies anybody.
create table identities (
    id             uuid primary key,
    account_id     uuid not null references accounts on delete cascade,
    provider       text collate "C" not null,
    realm          text collate "C" not null,
    subject        text collate "C" not null check (octet_length(subject) between 1 and 255),
    email          text,                             -- what the provider said last; never an input to a decision
    email_verified boolean not null default false,
    email_is_relay boolean not null default false,
    display_name   text,
    linked_by      text not null,                    -- the linking rule that made the row
    linked_at      timestamptz not null default now(),
    constraint identities_subject unique (provider, realm, subject)
);
create index identities_account on identities (account_id);

-- Refresh tokens of providers, sealed with the master key, kept because they must be revoked with the account.
create table provider_tokens (
    identity_id uuid not null references identities on delete cascade,
    client_id   text not null,                       -- the provider's client id that the token was issued to
    kind        text not null check (kind in ('refresh')),
    sealed      bytea not null,
    stored_at   timestamptz not null default now(),
    primary key (identity_id, client_id, kind)
);
