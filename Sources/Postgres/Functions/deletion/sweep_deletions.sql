-- Erases accounts whose deletion is due, a limited number per call. Skips locked accounts. Operator accounts wait until
-- their role is withdrawn. A failed erasure is retried after `p_retry_seconds`.
-- Locks: *lock_erasures, accounts (for update skip locked or for update nowait), *erase_account. It waits for no account. One
-- that cannot be locked at once stays for the next call.
create or replace function sweep_deletions(p_limit integer, p_request text, p_retry_seconds integer) returns integer language plpgsql as $$
declare
    due uuid;
    erased integer := 0;
begin
    perform lock_erasures();
    for due in
        select a.id from accounts a
         where a.deletion_due_at <= now() and not exists (select from operators o where o.account_id = a.id)
         order by a.deletion_due_at limit p_limit for update skip locked
    loop
        begin
            -- Locked out of order, so it must not wait. The next call retries.
            perform 1 from accounts where id = any (array(select joined_accounts(due))) for update nowait;
            if erase_account(due, null, 'deletion_due', p_request) = 'erased' then
                erased := erased + 1;
            end if;
        exception when integrity_constraint_violation or raise_exception then
            update accounts set deletion_due_at = now() + make_interval(secs => p_retry_seconds) where id = due;
            insert into audit_inbox (action, outcome, reason, account_id, request_id)
            values ('account_deleted', 'refused', 'sqlstate_' || sqlstate, due, p_request);
        when lock_not_available then
            null;
        end;
    end loop;
    return erased;
end $$;
