-- The expiry of a flow at its next step: each step has a limit, and all steps together have one.
-- Locks: none
create or replace function flow_end(p_begun timestamptz, p_limits flow_limits) returns timestamptz language sql stable as $$
    select least(now() + make_interval(secs => (p_limits).step_seconds), p_begun + make_interval(secs => (p_limits).whole_seconds));
$$;
