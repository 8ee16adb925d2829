-- Operators: accounts that may see and mend those of others, through the console, its API or the command line.

create table operators (
    account_id uuid primary key references accounts,    -- an operator's account is not deleted: the role goes first
    role       text not null check (role in ('viewer', 'support', 'admin', 'owner')),
    granted_by uuid,                                    -- the operator who did; null: the command line
    granted_at timestamptz not null default now()
);

-- Which operator did it; null where it was the person, the server, or somebody at the command line.
alter table audit_events add column actor_id uuid;
