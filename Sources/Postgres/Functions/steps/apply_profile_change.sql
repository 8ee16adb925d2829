-- Changes the profile of an account that the caller holds: a missing member stays, null removes it. Claims that come from
-- a changed attribute are due at the next refresh.
-- Locks: accounts, *make_claims_due.
create or replace function apply_profile_change(
    p_account uuid, p_change jsonb, p_session uuid, p_client text, p_address text, p_request text) returns void language plpgsql as $$
begin
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
