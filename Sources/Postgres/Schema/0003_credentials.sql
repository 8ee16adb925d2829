-- Passwords, second factors, passkeys and devices.

-- The secret of answers that are a keyed function of a typed name, so that known and unknown names look alike: the names
-- and salts of SRP, invented addresses. It is sealed with the master key, and outlives it: values that changed with
-- the master key would tell the invented ones from the stored ones.
create table name_secret (
    only_row boolean primary key default true check (only_row),
    sealed   bytea not null
);

-- A verifier for SRP-6a (RFC 5054) under the user id of one sign-in name. The salt is a keyed function of the user id.
create type srp_verifier as (
    user_id    uuid,                                   -- the user name of the protocol
    realm      text,                                   -- the realm of the protocol: a pool's name
    group_id   text,                                   -- the group and the hash function
    sealed     bytea                                   -- the verifier, sealed with the master key for its account
);

-- The verifiers of one password, as one value. The functions take it, and write all of it or nothing.
create type password_verifiers as (
    hash text,
    srp  srp_verifier[]
);

-- One password per account.
create table passwords (
    account_id    uuid primary key references accounts on delete cascade,
    hash          text not null,                       -- encoded, with its own parameters: Argon2id, or an imported hash
    set_at        timestamptz not null default now(),
    joined_at     timestamptz,                         -- as with identities
    joined_by     joined_by,                         -- stays when the password is changed; see replace_password
    added_at      timestamptz not null default now(),  -- stays too: when the account got a password
    added_by      uuid,                                -- the session, or the flow of a sign-in, that added it; null: none did
    set_through   text,                                -- the address whose code set it; it can't be the second factor then
    former_hashes text[] not null default '{}'         -- passwords that an operator replaced; they can't be reused
);

-- The SRP verifiers of passwords: one for each sign-in name that a password was known with. A verifier counts only for
-- the account that has the name and a password with this hash, so one of a former password never matches.
create table srp_verifiers (
    user_id    uuid not null,
    realm      text not null,
    account_id uuid not null references accounts on delete cascade,
    hash       text not null,                          -- the hash of the same password
    group_id   text not null,
    sealed     bytea not null,
    primary key (user_id, realm)
);
create index srp_verifiers_account on srp_verifiers (account_id);

-- Confirmed second factors.
create table factors (
    id           uuid primary key,
    account_id   uuid not null references accounts on delete cascade,
    kind         text not null check (kind in ('totp', 'sms', 'email')),
    name         text check (char_length(name) between 1 and 100),
    address      text,                                 -- the address or number that receives codes
    address_key  text,
    sealed       bytea,                                -- a TOTP secret, sealed with the master key
    counter      bigint,                               -- the last used TOTP time step: no code works twice
    is_preferred boolean not null default false,
    added_at     timestamptz not null default now(),
    joined_at    timestamptz,                          -- as with identities
    joined_by    joined_by,
    added_by     uuid,                                 -- as with passwords
    used_at      timestamptz,
    check ((kind = 'totp') = (sealed is not null) and (kind = 'totp') = (address_key is null))
) with (fillfactor = 70);                              -- as with passkeys
create unique index factors_address on factors (account_id, kind, address_key) where address_key is not null;
create index factors_account on factors (account_id);
create unique index factors_preferred on factors (account_id) where is_preferred;

-- Pending removals of lost second factors. They happen at `due_at` unless the user cancels or proves a factor.
create table factor_removals (
    account_id uuid primary key references accounts on delete cascade,
    asked_by   uuid,                                   -- the operator; null: the command line
    words      text not null,
    asked_at   timestamptz not null default now(),
    due_at     timestamptz not null
);
create index factor_removals_due on factor_removals (due_at);

create table passkeys (
    id              uuid primary key,
    account_id      uuid not null references accounts on delete cascade,
    credential_id   bytea not null unique check (octet_length(credential_id) between 1 and 1023),
    user_handle     bytea not null,
    public_key      bytea not null,                    -- COSE_Key (RFC 9052)
    algorithm       integer not null,
    counter         bigint not null,
    transports      text[] not null default '{}',
    aaguid          uuid,
    backup_eligible boolean not null,
    backed_up       boolean not null,
    attestation     text not null,                     -- the format, and how far it is trusted
    name            text check (char_length(name) between 1 and 100),
    is_preferred    boolean not null default false,
    added_at        timestamptz not null default now(),
    joined_at       timestamptz,                       -- as with identities
    joined_by       joined_by,
    added_by        uuid,                              -- as with passwords
    used_at         timestamptz
) with (fillfactor = 70);                              -- room for the next version of a row: a sign-in touches no index
create index passkeys_account on passkeys (account_id);

create table recovery_codes (
    account_id uuid not null references accounts on delete cascade,
    digest     bytea not null,
    added_at   timestamptz not null default now(),
    added_by   uuid,                                   -- as with passwords
    used_at    timestamptz,
    primary key (account_id, digest)
);

-- Remembered devices, which need no second factor for a while.
create table remembered_devices (
    id         uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    digest     bytea not null,
    name       text,
    added_at   timestamptz not null default now(),
    used_at    timestamptz,
    expires_at timestamptz not null,
    -- A device with a secret proves itself by SRP, under this realm and name. Other devices present their mark.
    srp_realm  text,
    srp_name   text,
    srp_salt   bytea,
    srp_sealed bytea,
    -- The user's choice; without it the device does not replace the second factor.
    is_remembered boolean not null default true,
    -- Two factors were proved when the device was confirmed or remembered.
    is_proved  boolean not null default true,
    unique (account_id, digest),
    check (num_nulls(srp_realm, srp_name, srp_salt, srp_sealed) in (0, 4))
);
create index remembered_devices_expiry on remembered_devices (expires_at);

-- Known devices: attackers' failures don't throttle them. A few marks per account, for 180 days and until the password
-- changes.
create table known_devices (
    account_id uuid not null references accounts on delete cascade,
    digest     bytea not null,
    issued_at  timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (account_id, digest)
);
create index known_devices_expiry on known_devices (expires_at);
