-- Changes the profile: a missing member stays, null removes it. An ended session changes nothing; the caller checks
-- that first. Claims that come from a changed attribute are due at the next refresh.
-- Locks: accounts (for no key update), *make_claims_due.
-- Invariant: an ended session stays ended.
create or replace function change_profile(p_account uuid, p_change jsonb, p_session uuid, p_client text, p_address text, p_request text)
returns void language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
    if not session_lives(p_account, p_session) then
        return;
    end if;
    update accounts
       set display_name = case when p_change ? 'display_name' then p_change->>'display_name' else display_name end,
           first_factor = case when p_change ? 'first_factor' then p_change->>'first_factor' else first_factor end,
           attributes = jsonb_strip_nulls(attributes || coalesce(p_change->'attributes', '{}')), changed_at = now()
     where id = p_account and status = 'active';
    perform make_claims_due(p_account, array(select jsonb_object_keys(p_change - 'attributes'))
                                       || array(select jsonb_object_keys(coalesce(p_change->'attributes', '{}'))));
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('profile_changed', 'done', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('changed', (select jsonb_agg(name) from jsonb_object_keys(p_change) name)));
    perform pg_notify('gateway_sessions', 'account:' || p_account);
end $$;
