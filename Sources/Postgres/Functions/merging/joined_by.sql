-- Who brought it, after one more move: an operator's hand stays, also where its person moves it on.
create or replace function joined_by(p_before text, p_by text) returns text language sql immutable as $$
    select case when p_before = 'operator' or (p_before = 'beside_operator' and p_by = 'own_merge') then p_before else p_by end;
$$;
