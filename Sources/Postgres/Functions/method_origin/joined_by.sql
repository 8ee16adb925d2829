-- The `joined_by` of a sign-in method after another move. The mark of the person who put it in stays even if the user moves the
-- method again (is_put_in).
-- Locks: none
create or replace function joined_by(p_before text, p_by text) returns text language sql immutable as $$
    select case when is_put_in(p_before) and (p_before <> 'beside_operator' or p_by = 'own_merge') then p_before else p_by end;
$$;
