-- Records that an operator reads the audit log: one row per view. A next page or a stream within `p_goes_on_seconds`
-- belongs to the same view. The function checks that the view exists, because a caller could invent a cursor; an
-- invented view is recorded too. The row belongs to the filtered account, if any.
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
