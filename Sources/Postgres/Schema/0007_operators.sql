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

-- What operators find accounts by, compared as bytes: one index serves the search and its order. Addresses, numbers, user names,
-- ids and subjects have indexes anyway. The sealer fills the table (refresh_search_terms), so no statement of a request does. A
-- search also reads what the sealer has not seen yet; a former name is found until then, too.
create table search_terms (
    kind       text not null check (kind in ('name', 'last_name', 'reported_email')),
    term       text collate "C" not null,
    account_id uuid not null,                          -- no foreign key: the sealer holds no account
    primary key (kind, term, account_id)
);
create index search_terms_account on search_terms (account_id);
