-- Remembers what a user grants to an app, beside the scopes of an earlier grant that still counts.
-- Locks: accounts (for key share), app_grants.
create or replace function grant_access(
    p_account uuid, p_client text, p_scopes text[], p_seconds integer, p_session uuid, p_address text, p_request text)
returns void language plpgsql as $$
begin
    perform 1 from accounts where id = p_account and status = 'active' for key share;
    if not found then
        return;
    end if;
    insert into app_grants as g (account_id, client_id, scopes, expires_at)
    values (p_account, p_client, p_scopes, now() + make_interval(secs => p_seconds))
    on conflict (account_id, client_id) do update
       set scopes = case when g.expires_at > now()
                         then array(select distinct unnest(g.scopes || excluded.scopes) order by 1) else excluded.scopes end,
           granted_at = now(), expires_at = excluded.expires_at;
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('access_granted', 'done', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('scopes', to_jsonb(p_scopes)));
end $$;
