-- Schedules the deletion of the user's own account, as begin_deletion does. The session must allow account changes.
-- Locks: *lock_erasures, accounts (for update), *may_change_account, *begin_deletion. The accounts are locked by id, as
-- strongly as begin_deletion needs them.
-- Outcomes: *may_change_account, *begin_deletion
create or replace function request_deletion(
    p_account uuid, p_session uuid, p_recent_seconds integer, p_days integer, p_client text, p_address text, p_request text,
    out outcome text, out requested_at timestamptz, out due_at timestamptz)
language plpgsql as $$
begin
    if p_days = 0 then
        perform lock_erasures();
    end if;
    -- The final lock strength from the start: two transactions that strengthen a lock deadlock.
    perform 1 from accounts where id = any (array(select p_account union all select joined_accounts(p_account))) order by id for update;
    outcome := may_change_account(p_account, p_session, p_recent_seconds);
    if outcome is null then
        select d.* into outcome, requested_at, due_at
          from begin_deletion(p_account, null, p_days, 'person', p_session, p_client, p_address, p_request) d;
    end if;
end $$;
