-- Stores the newest refresh token of an identity's provider, sealed.
-- Locks: provider_tokens.
create or replace function store_provider_token(p_identity uuid, p_client text, p_sealed bytea) returns void language sql as $$
    insert into provider_tokens (identity_id, client_id, kind, sealed) values (p_identity, p_client, 'refresh', p_sealed)
    on conflict (identity_id, client_id, kind) do update set sealed = excluded.sealed, stored_at = now();
$$;
