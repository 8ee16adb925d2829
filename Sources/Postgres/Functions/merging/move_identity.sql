-- Moves an identity to another account. The former owner must keep a sign-in method.
-- Locks: *lock_accounts, *move_items, *mark_joined, *end_identity_sessions, flows, account_changes (new).
-- Outcomes: nothing_to_change, moved, last_credential, accounts_changed, *lock_accounts
-- Invariant: one identity has one account; an open account has a usable sign-in method.
create or replace function move_identity(
    p_change uuid, p_identity uuid, p_from uuid, p_to uuid, p_providers text[], p_actor uuid, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text;
    items constant jsonb := jsonb_build_object('identities', jsonb_build_array(p_identity));
    marks jsonb;
    before jsonb;
    after jsonb;
begin
    if p_from = p_to then
        return 'nothing_to_change';
    end if;
    refused := lock_accounts(p_from, p_to);
    if refused is not null then
        return refused;
    end if;
    before := jsonb_build_object('from', account_outline(p_from), 'to', account_outline(p_to));
    marks := joined_marks(p_from);
    perform move_items(p_from, p_to, items);
    perform mark_joined(p_to, items, 'operator');
    if not has_sign_in_method(p_from, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    perform end_identity_sessions(p_from, p_identity, 'identity_moved');
    delete from flows where account_id in (p_from, p_to);
    after := jsonb_build_object('from', account_outline(p_from), 'to', account_outline(p_to));
    insert into account_changes (id, kind, account_id, other_id, actor_id, state, after)
    values (p_change, 'move', p_to, p_from, p_actor, jsonb_build_object('items', items, 'marks', marks), after);
    insert into audit_inbox (action, outcome, account_id, identity_id, address, request_id, detail)
    values ('identity_moved', 'done', p_to, p_identity, p_address, p_request, jsonb_build_object('change', p_change, 'from', p_from, 'before', before, 'after', after)),
           ('identity_unlinked', 'done', p_from, p_identity, p_address, p_request, jsonb_build_object('change', p_change, 'moved_to', p_to));
    perform notify_account(p_from, 'identity_unlinked', jsonb_build_object('provider', (select provider from identities where id = p_identity)));
    perform notify_account(p_to, 'identity_linked', jsonb_build_object('provider', (select provider from identities where id = p_identity)));
    perform pg_notify('gateway_sessions', 'account:' || p_to);
    return 'moved';
exception
    when sqlstate 'LG001' then return 'last_credential';
    when sqlstate 'LG011' then return 'accounts_changed';
end $$;
