-- One password an account: an encoded Argon2id hash with its own parameters.
create table passwords (
    account_id uuid primary key references accounts on delete cascade,
    hash       text not null,
    set_at     timestamptz not null default now()
);
