-- Moves an identity back to its former owner. The caller holds both accounts.
-- Errors: LG001 (the last sign-in method).
-- Locks: *move_items, *restore_marks, *end_identity_sessions. The caller holds both accounts.
-- Invariant: an open account has a usable sign-in method.
create or replace function undo_move(p_change account_changes, p_providers text[]) returns void language plpgsql as $$
declare
    identity constant uuid := (ids_of(p_change.state->'items', 'identities'))[1];
begin
    perform move_items(p_change.account_id, p_change.other_id, p_change.state->'items');
    perform restore_marks(p_change.other_id, p_change.state->'items', p_change.state->'marks');
    perform end_identity_sessions(p_change.account_id, identity, 'identity_moved');
    if not has_sign_in_method(p_change.account_id, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    perform notify_account(p_change.account_id, 'identity_unlinked', jsonb_build_object('provider', (select provider from identities where id = identity)));
    perform notify_account(p_change.other_id, 'identity_linked', jsonb_build_object('provider', (select provider from identities where id = identity)));
end $$;
