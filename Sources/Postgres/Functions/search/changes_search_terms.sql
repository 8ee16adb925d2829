-- Whether an event may change the search terms of an account. Frequent actions of users and operators' views don't; all others may.
-- Locks: none
create or replace function changes_search_terms(p_action text, p_outcome text) returns boolean language sql immutable as $$
    select p_outcome = 'done'
       and p_action not in ('signed_in', 'refreshed', 'refresh_repeated', 'first_factor_proved', 'handed_over', 'app_signed_in', 'session_ended', 'new_device')
       and not is_view(p_action)
$$;
