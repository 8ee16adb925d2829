-- Whether an event matches the filters of account_events. Users see completed actions, except the end of a session that
-- a step-up replaced, and wrong answers.
-- Locks: none
create or replace function is_event_shown(p_action text, p_outcome text, p_reason text, p_actions text[], p_refusals text[], p_views boolean)
returns boolean language sql immutable as $$
    select case when p_actions is null then p_views or not is_view(p_action)
                when p_outcome = 'refused' then coalesce(p_reason = any (p_refusals), false)
                else p_outcome = 'done' and p_action = any (p_actions) and p_reason is distinct from 'stepped_up' end
$$;
