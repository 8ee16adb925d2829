-- The keys under one key of a change's items.
-- Locks: none
create or replace function keys_of(p_items jsonb, p_name text) returns text[] language sql immutable as $$
    select coalesce(array_agg(key), '{}') from jsonb_array_elements_text(coalesce(p_items->p_name, '[]')) key;
$$;
