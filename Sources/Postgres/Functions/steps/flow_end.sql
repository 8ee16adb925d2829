-- When a flow ends whose next step is reached: each step has its time, all together have theirs.
-- Locks: none
create or replace function flow_end(p_begun timestamptz, p_limits flow_limits) returns timestamptz language sql stable as $$
    select least(now() + make_interval(secs => (p_limits).step_seconds), p_begun + make_interval(secs => (p_limits).whole_seconds));
$$;
