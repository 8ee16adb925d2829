-- Uses up a try of a sign-in without judging it. A flow of an existing session compares its code only here and keeps
-- it.
-- Locks: flows.
create or replace function lose_try(p_flow uuid, p_revision integer, p_mark bytea, p_address text) returns void language plpgsql as $$
begin
    update flows f
       set tries = least(f.tries + own.tries, 1000), foreign_tries = least(f.foreign_tries + 1 - own.tries, 1000)
      from flows g, lateral (select is_own_answer(g, p_mark, p_address)::integer tries) own
     where g.id = f.id and f.id = p_flow and f.revision = p_revision and f.kind = 'sign_in';
end $$;
