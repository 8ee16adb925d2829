-- The apps of an access key: its own, and those of the same Cognito pool.
-- Locks: none
create or replace function pool_apps(p_key text) returns setof text language sql stable as $$
    select c.id from access_keys k join clients own on own.id = k.client_id
      join clients c on c.id = own.id or c.dialects->'cognito'->>'pool_id' = own.dialects->'cognito'->>'pool_id'
     where k.id = p_key;
$$;
