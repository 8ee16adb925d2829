-- Whether an access key works: neither revoked nor expired, and of an enabled client.
-- Locks: none
create or replace function is_live_key(p_key access_keys) returns boolean language sql stable as $$
    select p_key.revoked_at is null and coalesce(p_key.expires_at > now(), true)
           and exists (select from clients c where c.id = p_key.client_id and c.disabled_at is null);
$$;
