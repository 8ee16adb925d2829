-- Moves all items of a split back and closes the new account. The caller holds both accounts.
-- Locks: *move_items, *restore_marks, *set_mains, accounts, *end_account_access. The caller holds both accounts.
-- Invariant: an open account has a usable sign-in method.
create or replace function undo_split(p_change account_changes) returns void language plpgsql as $$
begin
    perform move_items(p_change.other_id, p_change.account_id, p_change.state->'items');
    perform restore_marks(p_change.account_id, p_change.state->'items', p_change.state->'marks');
    perform set_mains(p_change.account_id, p_change.state->'mains');
    update accounts set mfa = (p_change.state->>'mfa')::boolean, password_state = p_change.state->>'password_state', changed_at = now()
     where id = p_change.account_id;
    update accounts set status = 'closed', merged_into = p_change.account_id, changed_at = now() where id = p_change.other_id;
    perform end_account_access(p_change.other_id, 'split_undone');
    perform pg_notify('gateway_sessions', 'account:' || p_change.account_id);
    perform notify_account(p_change.account_id, 'accounts_merged', '{}');
end $$;
