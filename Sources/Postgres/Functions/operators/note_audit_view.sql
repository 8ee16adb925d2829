-- Notes that an operator reads the audit log: one row for each view. A page or stream that goes on with what the operator
-- opened no longer than `p_goes_on_seconds` ago has its row already. It is asked for, because a place to go on from can be made up: a view
-- that began nowhere leaves its row, too. The row is of the account that was asked for, where there is one.
-- Locks: none
create or replace function note_audit_view(p_account uuid, p_goes_on_seconds integer, p_actor uuid, p_address text, p_request text, p_detail jsonb) returns void
language plpgsql set jit = off as $$
begin
    if p_goes_on_seconds is not null and exists (
        select from audit_events e
         where e.actor_id = p_actor and e.at > now() - make_interval(secs => p_goes_on_seconds) and e.action = 'audit_viewed'
           and e.detail->>'query' = p_detail->>'query')
    then
        return;
    end if;
    insert into audit_inbox (action, outcome, account_id, actor_id, address, request_id, detail)
    values ('audit_viewed', 'done', (select id from accounts where id = p_account), p_actor, p_address, p_request, p_detail);
end $$;
