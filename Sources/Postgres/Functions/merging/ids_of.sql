-- The ids under one key of a change's items.
-- Locks: none
create or replace function ids_of(p_items jsonb, p_name text) returns uuid[] language sql immutable as $$
    select coalesce(array_agg(id::uuid), '{}') from jsonb_array_elements_text(coalesce(p_items->p_name, '[]')) id;
$$;
