-- Records that an operator viewed personal data: one row per view. A page consists of several reads of one account.
-- They, and a change that returns the account, count as one request of at most `p_seconds`.
-- Locks: none
create or replace function note_view(p_action text, p_account uuid, p_actor uuid, p_address text, p_request text, p_seconds integer, p_detail jsonb) returns void
language plpgsql set jit = off as $$
begin
    if p_account is not null and exists (
        select from account_events(p_account, false, null, null, null, true, 10) newest
         where newest.at > now() - make_interval(secs => p_seconds) and newest.request_id = p_request)
    then
        return;
    end if;
    insert into audit_inbox (action, outcome, account_id, actor_id, address, request_id, detail)
    values (p_action, 'done', p_account, p_actor, p_address, p_request, nullif(p_detail, '{}'));
end $$;
