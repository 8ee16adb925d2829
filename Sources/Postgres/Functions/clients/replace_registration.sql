-- Replaces the name, the addresses, the sector and the keys of a client that registered itself. What users granted is void: it is another
-- app now.
-- Locks: clients, app_grants.
create or replace function replace_registration(
    p_client text, p_name text, p_redirect_uris text[], p_openid jsonb, p_address text, p_request text)
returns void language plpgsql as $$
begin
    update clients
       set name = p_name, redirect_uris = p_redirect_uris,
           openid = openid - array['jwks', 'jwks_uri', 'subject_type', 'sector_identifier_uri'] || p_openid
     where id = p_client and origin = 'registration';
    if not found then
        return;
    end if;
    delete from app_grants where client_id = p_client;
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('client_changed', 'done', 'registration', p_client, p_address, p_request,
            jsonb_build_object('name', p_name, 'redirect_uris', to_jsonb(p_redirect_uris))
            || p_openid - array['subject_type', 'sector_identifier_uri']);
end $$;
