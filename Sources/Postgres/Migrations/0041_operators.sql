-- A new owner that one owner named, and a second one has not: a setting asks for it.
create table owner_proposals (
    account_id  uuid primary key references accounts on delete cascade,
    proposed_by uuid not null references accounts on delete cascade,
    proposed_at timestamptz not null default now()
);

drop function if exists grant_role(uuid, text, uuid, text, text);
