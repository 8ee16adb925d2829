-- Uses up a try of a sign-in without judging it. A flow of an existing session compares its code only here and keeps
-- it.
-- Locks: flows.
create or replace function lose_try(p_flow uuid, p_revision integer) returns void language sql as $$
    update flows set tries = least(tries + 1, 1000) where id = p_flow and revision = p_revision and kind = 'sign_in';
$$;
