-- Undoes a merge that the user of both accounts made.
-- Locks: accounts (for update), *may_change_factors, *undo_change. The accounts by id.
-- Outcomes: not_found, *may_change_factors, *undo_change
create or replace function undo_own_merge(
    p_change uuid, p_account uuid, p_session uuid, p_recent_seconds integer, p_providers text[], p_client text, p_address text, p_request text,
    out outcome text, out parts text[])
language plpgsql as $$
begin
    -- Both accounts first, by id.
    perform 1 from accounts
      where id in (select p_account
                   union all select c.account_id from account_changes c where c.id = p_change
                   union all select c.other_id from account_changes c where c.id = p_change)
      order by id for update;
    outcome := may_change_factors(p_account, p_session, p_recent_seconds);
    if outcome is not null then
        return;
    end if;
    if not exists (select from account_changes where id = p_change and account_id = p_account and kind = 'merge' and by_person) then
        outcome := 'not_found';
        return;
    end if;
    select u.outcome, u.parts into outcome, parts from undo_change(p_change, p_providers, p_address, p_request) u;
    if outcome = 'undone' then
        insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
        values ('own_merge_undone', 'done', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('change', p_change));
    end if;
end $$;
