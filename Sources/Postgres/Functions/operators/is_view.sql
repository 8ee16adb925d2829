-- Whether an event is that an operator looked at something. It changes no account.
-- Locks: none
create or replace function is_view(p_action text) returns boolean language sql immutable as $$
    select p_action in ('account_viewed', 'history_viewed', 'accounts_searched', 'audit_viewed')
$$;
