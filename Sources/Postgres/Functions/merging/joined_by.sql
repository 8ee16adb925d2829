-- The `joined_by` of a sign-in method after another move. An operator's mark stays even if the user moves the method
-- again.
-- Locks: none
create or replace function joined_by(p_before text, p_by text) returns text language sql immutable as $$
    select case when p_before = 'operator' or (p_before = 'beside_operator' and p_by = 'own_merge') then p_before else p_by end;
$$;
