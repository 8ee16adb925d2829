-- The rank of a role. A higher role includes the rights of the lower ones.
-- Locks: none
create or replace function operator_rank(p_role text) returns integer language sql immutable as $$
    select array_position(array['viewer', 'support', 'admin', 'owner'], p_role);
$$;
