-- Moves the listed items of an account to a new one. Both must keep a sign-in method. Refused for an account with a
-- pending deletion.
-- Locks: accounts (for update), *move_items, *mark_joined, *set_mains, *end_account_access, account_changes (new).
-- Outcomes: not_found, deletion_waits, previewed, accounts_changed, last_credential, split
-- Invariant: an open account has a usable sign-in method.
create or replace function split_account(
    p_change uuid, p_account uuid, p_new uuid, p_items jsonb, p_providers text[], p_dry boolean, p_actor uuid, p_address text, p_request text,
    out outcome text, out report jsonb)
language plpgsql as $$
declare
    before jsonb;
    mains jsonb;
    marks jsonb;
    ended integer;
begin
    perform from accounts where id = p_account and status = 'active' for update;
    if not found then
        outcome := 'not_found';
        return;
    end if;
    if deletion_waits(p_account, null) then
        outcome := 'deletion_waits';
        return;
    end if;
    before := account_outline(p_account);
    mains := account_mains(p_account);
    marks := joined_marks(p_account);
    begin
        insert into accounts (id, display_name) select p_new, display_name from accounts where id = p_account;
        perform move_items(p_account, p_new, p_items);
        perform mark_joined(p_new, p_items, 'operator');
        perform set_mains(p_account, mains);
        perform set_mains(p_new, mains);
        update accounts set mfa = exists (select from factors where account_id = p_new) where id = p_new;
        update accounts set mfa = mfa and (exists (select from factors where account_id = p_account) or exists (select from passkeys where account_id = p_account))
         where id = p_account;
        if not has_sign_in_method(p_account, p_providers) or not has_sign_in_method(p_new, p_providers) then
            raise exception 'last credential' using errcode = 'LG001';
        end if;
        ended := end_account_access(p_account, 'account_split');
        report := jsonb_build_object('moves', p_items, 'ends_sessions', ended, 'before', before,
                                     'after', jsonb_build_object('account', account_outline(p_account), 'new', account_outline(p_new)));
        if p_dry then
            raise exception 'only looking' using errcode = 'LG010';
        end if;
    exception
        when sqlstate 'LG010' then outcome := 'previewed'; return;
        when sqlstate 'LG011' then outcome := 'accounts_changed'; return;
        when sqlstate 'LG001' then outcome := 'last_credential'; return;
    end;
    insert into account_changes (id, kind, account_id, other_id, actor_id, state, after)
    values (p_change, 'split', p_account, p_new, p_actor,
            jsonb_build_object('items', p_items, 'marks', marks, 'mains', mains, 'mfa', (before->>'mfa')::boolean, 'password_state', before->>'password_state'),
            report->'after');
    insert into audit_inbox (action, outcome, account_id, address, request_id, detail)
    values ('account_split', 'done', p_account, p_address, p_request, jsonb_build_object('change', p_change, 'new', p_new, 'before', before, 'after', report->'after')),
           ('account_created', 'done', p_new, p_address, p_request, jsonb_build_object('change', p_change, 'split_from', p_account));
    perform notify_account(p_account, 'account_split', '{}');
    perform notify_account(p_new, 'account_split', '{}');
    outcome := 'split';
end $$;
