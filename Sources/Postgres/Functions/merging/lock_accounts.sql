-- Locks two accounts by id. Returns null, or the refusal: both must be active, and neither may have a pending deletion,
-- which would delete the moved rows.
-- Locks: accounts (for update). By id.
-- Outcomes: not_found, account_disabled, deletion_waits, null
create or replace function lock_accounts(p_one uuid, p_other uuid) returns text language plpgsql as $$
declare
    found_ integer;
    active integer;
    leaving integer;
begin
    select count(*), count(*) filter (where status = 'active'), count(*) filter (where deletion_due_at is not null)
      into found_, active, leaving
      from (select status, deletion_due_at from accounts where id in (p_one, p_other) order by id for update) a;
    return case when found_ < 2 then 'not_found' when leaving > 0 then 'deletion_waits' when active < 2 then 'account_disabled' end;
end $$;
