-- Operators, and the indexes that their searches use.

create table operators (
    account_id uuid primary key references accounts,   -- an operator's account cannot be deleted: the role goes first
    role       text not null check (role in ('viewer', 'support', 'admin', 'owner')),
    granted_by uuid,                                   -- the operator; null: the command line
    granted_at timestamptz not null default now()
);

-- New owners that wait for a second owner, where the setting asks for one.
create table owner_proposals (
    account_id  uuid primary key references accounts on delete cascade,
    proposed_by uuid not null references accounts on delete cascade,
    proposed_at timestamptz not null default now()
);

-- Prefixes of names, addresses and numbers, compared as bytes: one index serves the search and its order.
create index accounts_by_name on accounts ((lower(display_name) collate "C"), id) where display_name is not null;
create index accounts_by_last_name on accounts ((lower(substring(display_name from '[^ ]+$')) collate "C"), id)
    where display_name like '% %';
create index identities_by_email on identities ((lower(email) collate "C"), account_id) where email is not null;
