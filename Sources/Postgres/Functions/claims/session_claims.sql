-- All claims of a session; null without claims.
-- Locks: none
create or replace function session_claims(p_account uuid, p_claims jsonb, p_map jsonb, p_most_bytes integer) returns jsonb language sql stable as $$
    select nullif(attribute_claims(p_account, p_map, p_most_bytes) || p_claims, '{}');
$$;
