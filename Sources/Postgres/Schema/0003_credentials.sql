-- Passwords, second factors, passkeys and devices.

-- A verifier for SRP-6a (RFC 5054). It names everything that it was computed from.
create type srp_verifier as (
    account_id uuid,
    user_id    uuid,                                   -- the user name of the protocol, invented for this verifier
    hash       text,                                   -- the hash of the same password
    realm      text,                                   -- the realm of the protocol: a pool's name
    group_id   text,                                   -- the group and the hash function
    salt       bytea,
    sealed     bytea                                   -- the verifier, sealed with the master key
);

-- The verifiers of one password, as one value. The functions take it, and write all of it or nothing.
create type password_verifiers as (
    hash text,
    srp  srp_verifier
);

-- One password per account, with a verifier of each kind.
create table passwords (
    account_id    uuid primary key references accounts on delete cascade,
    hash          text not null,                       -- encoded, with its own parameters: Argon2id, or an imported hash
    srp           srp_verifier,                        -- null: no protocol has needed it so far
    set_at        timestamptz not null default now(),
    joined_at     timestamptz,                         -- as with identities
    joined_by     joined_by,                         -- stays when the password is changed
    set_through   text,                                -- the address whose code set it; it can't be the second factor then
    former_hashes text[] not null default '{}',        -- passwords that an operator replaced; they can't be reused
    -- A change of the password or of the account removes or replaces the verifier in the same statement, or it fails.
    constraint passwords_srp_is_current
        check (srp is null or (srp is not null and (srp).account_id = account_id and (srp).hash = hash))
);

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
    joined_by    text check (joined_by in ('own_merge', 'operator', 'beside_operator')),   -- see was_put_in
    used_at      timestamptz,
    check ((kind = 'totp') = (sealed is not null) and (kind = 'totp') = (address_key is null))
);
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
    joined_by       text check (joined_by in ('own_merge', 'operator', 'beside_operator')),   -- see was_put_in
    used_at         timestamptz
);
create index passkeys_account on passkeys (account_id);

create table recovery_codes (
    account_id uuid not null references accounts on delete cascade,
    digest     bytea not null,
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
