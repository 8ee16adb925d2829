-- What trust a role has: a higher number may do all that a lower one may.
-- Locks: none
create or replace function operator_rank(p_role text) returns integer language sql immutable as $$
    select array_position(array['viewer', 'support', 'admin', 'owner'], p_role);
$$;
