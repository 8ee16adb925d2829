-- Returns whether a session with these scopes may have a token for a resource. Without `p_resource` the token is for the only
-- resource, or for the app's own API if there is none. With an empty one it is for the gateway's own API, which a session without
-- resources reaches. A resource has the name `<identifier>`, each of its scopes `<identifier> <scope>`.
-- Locks: none
create or replace function reaches_resource(p_scopes text[], p_resource text) returns boolean language sql immutable as $$
    select case when p_resource <> '' then p_resource = any (coalesce(p_scopes, '{}'))
                else (select count(*) from unnest(p_scopes) s where s like '%:%' and s not like '% %')
                     <= case when p_resource is null then 1 else 0 end end
$$;
