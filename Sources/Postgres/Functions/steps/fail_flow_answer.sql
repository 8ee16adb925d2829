-- Counts a wrong answer: of the flow's owner, or of others.
-- Locks: flows.
-- Outcomes: code_wrong, too_many_tries
create or replace function fail_flow_answer(p_flow uuid, p_most_tries integer, p_own boolean, out outcome text, out tries_left integer)
language plpgsql as $$
begin
    update flows f
       set tries = f.tries + p_own::integer, foreign_tries = f.foreign_tries + (not p_own)::integer
     where f.id = p_flow
    returning p_most_tries - case when p_own then f.tries else f.foreign_tries end into tries_left;
    outcome := case when tries_left > 0 then 'code_wrong' else 'too_many_tries' end;
end $$;
