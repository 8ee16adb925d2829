-- Each step has ten minutes, all together an hour.
-- Locks: none
create or replace function flow_end(p_begun timestamptz) returns timestamptz language sql stable as $$
    select least(now() + interval '10 minutes', p_begun + interval '1 hour');
$$;
