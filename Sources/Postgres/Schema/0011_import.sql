-- Imports of accounts from other systems.

-- The position of each import. `digest` covers the finished lines, so an import continues only with the same file.
create table import_runs (
    name       text collate "C" primary key check (octet_length(name) between 1 and 200),
    lines      bigint not null default 0,
    digest     bytea not null,
    accounts   bigint not null default 0,
    refused    bigint not null default 0,
    began_at   timestamptz not null default now(),
    changed_at timestamptz not null default now()
);

-- Refused lines with their reasons, without their content.
create table import_refusals (
    run    text collate "C" not null references import_runs on delete cascade,
    line   bigint not null,
    reason text not null,
    primary key (run, line)
);

-- The id of an account in its source system. A line without an id is identified by its digest.
create table imported_accounts (
    source      text collate "C" not null check (octet_length(source) between 1 and 64),
    external_id text collate "C" not null check (octet_length(external_id) between 1 and 255),
    account_id  uuid not null references accounts on delete cascade,
    primary key (source, external_id)
);
create index imported_accounts_account on imported_accounts (account_id);

-- One validated line of a file.
create type import_line as (
    line            bigint,
    account_id      uuid,
    external_id     text,
    address         text,
    address_key     text,
    is_proved       boolean,
    phone_key       text,
    is_phone_proved boolean,
    user_name       text,
    user_name_key   text,
    attributes      jsonb,
    display_name    text,
    password_hash   text,
    hash_kind       text,
    identities      jsonb,                             -- [{"id", "provider", "realm", "subject"}]
    created_at      bigint,                            -- milliseconds since 1970
    is_disabled     boolean
);
