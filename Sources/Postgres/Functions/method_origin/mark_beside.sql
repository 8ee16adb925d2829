-- The mark of a method that its user adds now: `beside_operator` beside a method that another person put in, else null.
-- Locks: none
create or replace function mark_beside(p_account uuid) returns text language sql stable as $$
    select case when was_put_in(p_account) then 'beside_operator' end;
$$;
