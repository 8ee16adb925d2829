-- The parts in which two outlines differ.
-- Locks: none
create or replace function outline_differences(p_before jsonb, p_after jsonb) returns text[] language sql immutable as $$
    select coalesce(array_agg(key order by key), '{}')
      from jsonb_object_keys(coalesce(p_before, '{}') || coalesce(p_after, '{}')) key
     where p_before->key is distinct from p_after->key;
$$;
