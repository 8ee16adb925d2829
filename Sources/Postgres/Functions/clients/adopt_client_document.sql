-- Adds the client of a document that describes an app, or renews it. A changed document voids what users granted. A client that
-- was withdrawn comes back; one that an operator disabled does not. Beyond `p_most` documents the oldest one that no user granted
-- anything makes room, except those that an operator disabled: else they would come back.
-- Locks: advisory client documents, client_documents (for update), clients, app_grants, agents (new).
-- Outcomes: adopted, renewed, full
create or replace function adopt_client_document(
    p_client text, p_url text, p_name text, p_redirect_uris text[], p_providers text[], p_openid jsonb, p_digest bytea,
    p_seconds integer, p_most integer, p_address text, p_request text)
returns text language plpgsql as $$
declare
    held client_documents;
    oldest text;
begin
    perform pg_advisory_xact_lock(hashtextextended('client documents', 4));
    select * into held from client_documents where client_id = p_client for update;
    if found then
        update client_documents set fresh_until = now() + make_interval(secs => p_seconds), digest = p_digest where client_id = p_client;
        update clients set disabled_at = null, withdrawn = false where id = p_client and withdrawn;
        if held.digest <> p_digest then
            update clients set name = p_name, redirect_uris = p_redirect_uris,
                               type = case when p_openid ?| array['jwks', 'jwks_uri'] then 'confidential'
                                           when secret_digest is null and secret_sealed is null then 'public' else type end,
                               openid = openid - array['jwks', 'jwks_uri', 'subject_type', 'sector_identifier_uri'] || p_openid
             where id = p_client;
            delete from app_grants where client_id = p_client;
            insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
            values ('client_changed', 'done', 'document', p_client, p_address, p_request,
                    jsonb_build_object('document', p_url, 'name', p_name, 'redirect_uris', to_jsonb(p_redirect_uris))
                    || p_openid - array['subject_type', 'sector_identifier_uri']);
        end if;
        return 'renewed';
    end if;
    if (select count(*) from client_documents) >= p_most then
        select d.client_id into oldest from client_documents d join clients c on c.id = d.client_id
         where (c.disabled_at is null or c.withdrawn)
           and not exists (select from app_grants g where g.client_id = d.client_id) order by d.fresh_until limit 1;
        if not found then
            return 'full';
        end if;
        delete from clients where id = oldest;
    end if;
    insert into clients (id, name, origin, type, audiences, redirect_uris, providers, openid)
    values (p_client, p_name, 'document', case when p_openid ?| array['jwks', 'jwks_uri'] then 'confidential' else 'public' end, '{}',
            p_redirect_uris, p_providers, '{"third_party": true}'::jsonb || p_openid);
    insert into client_documents (client_id, url, digest, fresh_until)
    values (p_client, p_url, p_digest, now() + make_interval(secs => p_seconds));
    insert into agents (client_id) values (p_client);
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('client_added', 'done', 'document', p_client, p_address, p_request,
            jsonb_build_object('document', p_url, 'name', p_name, 'redirect_uris', to_jsonb(p_redirect_uris))
            || p_openid - array['subject_type', 'sector_identifier_uri']);
    return 'adopted';
end $$;
