-- Second factors that somebody lost, and that an operator asked to remove: they go when the time is over, unless the person
-- takes it back or proves to have one.
create table factor_removals (
    account_id uuid primary key references accounts on delete cascade,
    asked_by   uuid,                                    -- the operator; null: the command line
    words      text not null,
    asked_at   timestamptz not null default now(),
    due_at     timestamptz not null
);
create index factor_removals_due on factor_removals (due_at);
