-- Counts a wrong answer.
-- Locks: flows.
-- Outcomes: code_wrong, too_many_tries
create or replace function fail_flow_answer(p_flow uuid, p_most_tries integer, out outcome text, out tries_left integer) language plpgsql as $$
begin
    update flows f set tries = f.tries + 1 where f.id = p_flow returning p_most_tries - f.tries into tries_left;
    outcome := case when tries_left > 0 then 'code_wrong' else 'too_many_tries' end;
end $$;
