-- Merges two accounts; `p_by_person` if the user of both requested it. With `p_dry` the merge is executed, inspected
-- and rolled back, so a preview matches the real result. `p_expected`: the digest of the preview.
-- Locks: *lock_accounts, *join_proofs, *move_items, *mark_joined, *set_mains, accounts, account_apps, pairwise_subjects, flows,
-- *end_account_access, account_changes (new).
-- Outcomes: nothing_to_change, operator_account, accounts_changed, merged, previewed, *lock_accounts
-- Invariant: an open account has a usable sign-in method.
create or replace function merge_accounts(
    p_change uuid, p_kept uuid, p_absorbed uuid, p_expected text, p_dry boolean, p_actor uuid, p_address text, p_request text,
    p_by_person boolean default false, out outcome text, out digest text, out report jsonb)
language plpgsql as $$
declare
    joined_how constant text := case when p_by_person then 'own_merge' else 'operator' end;
    kept accounts;
    absorbed accounts;
    before jsonb;
    state jsonb;
    ended integer;
begin
    if p_kept = p_absorbed then
        outcome := 'nothing_to_change';
        return;
    end if;
    outcome := lock_accounts(p_kept, p_absorbed);
    if outcome is not null then
        return;
    end if;
    -- The merge would withdraw or grant a role.
    if exists (select from operators where account_id = p_absorbed) then
        outcome := 'operator_account';
        return;
    end if;
    digest := outlines_digest(p_kept, p_absorbed);
    if p_expected is distinct from digest and p_expected is not null then
        outcome := 'accounts_changed';
        return;
    end if;
    select * into kept from accounts where id = p_kept;
    select * into absorbed from accounts where id = p_absorbed;
    before := jsonb_build_object('kept', account_outline(p_kept), 'absorbed', account_outline(p_absorbed));
    state := jsonb_build_object(
        'items', movable_items(p_absorbed, p_kept), 'marks', joined_marks(p_absorbed),
        'kept_mains', account_mains(p_kept), 'absorbed_mains', account_mains(p_absorbed),
        'kept', jsonb_build_object('display_name', kept.display_name, 'attributes', kept.attributes, 'mfa', kept.mfa,
                                   'mfa_demanded', kept.mfa_demanded, 'password_state', kept.password_state,
                                   'user_name', kept.user_name, 'user_name_key', kept.user_name_key),
        'absorbed', jsonb_build_object('password_state', absorbed.password_state, 'user_name', absorbed.user_name,
                                       'user_name_key', absorbed.user_name_key));
    begin
        -- Before addresses move, so that each mailbox learns what its own account does.
        perform notify_account(p_kept, 'accounts_merged', '{}');
        if not p_by_person then
            perform notify_account(p_absorbed, 'account_absorbed', '{}');
        end if;
        state := state || jsonb_build_object('joined', join_proofs(p_absorbed, p_kept, joined_how));
        perform move_items(p_absorbed, p_kept, state->'items');
        perform mark_joined(p_kept, state->'items', joined_how);
        perform set_mains(p_kept, state->'kept_mains');
        if kept.user_name is null and absorbed.user_name is not null then
            update accounts set user_name = null, user_name_key = null where id = p_absorbed;
            update accounts set user_name = absorbed.user_name, user_name_key = absorbed.user_name_key where id = p_kept;
        end if;
        update accounts
           set display_name = coalesce(display_name, absorbed.display_name), attributes = absorbed.attributes || attributes,
               mfa = mfa or absorbed.mfa, mfa_demanded = mfa_demanded or absorbed.mfa_demanded, changed_at = now()
         where id = p_kept;
        state := state || jsonb_build_object('apps', array(
            (select client_id from account_apps where account_id = p_absorbed
             union select absorbed.client_id where absorbed.client_id is not null)
            except (select client_id from account_apps where account_id = p_kept union select kept.client_id)));
        insert into account_apps (account_id, client_id) select p_kept, jsonb_array_elements_text(state->'apps') on conflict do nothing;
        -- Apps go on knowing the user by the same subject; where both accounts have one, by that of the kept account.
        state := state || jsonb_build_object('sectors', array(
            select sector from pairwise_subjects where account_id = p_absorbed
            except select sector from pairwise_subjects where account_id = p_kept));
        update pairwise_subjects set account_id = p_kept where account_id = p_absorbed and state->'sectors' ? sector;
        update accounts set status = 'closed', merged_into = p_kept, changed_at = now() where id = p_absorbed;
        delete from flows where account_id = p_kept;
        ended := end_account_access(p_absorbed, 'merged');
        report := jsonb_build_object(
            'moves', state->'items', 'joins_proofs', jsonb_array_length(state->'joined'), 'ends_sessions', ended,
            'stays_behind', account_outline(p_absorbed) - 'status', 'before', before,
            'after', jsonb_build_object('kept', account_outline(p_kept), 'absorbed', account_outline(p_absorbed)));
        if p_dry then
            raise exception 'only looking' using errcode = 'LG010';
        end if;
    exception when sqlstate 'LG010' then
        outcome := 'previewed';
        return;
    end;
    insert into account_changes (id, kind, account_id, other_id, actor_id, by_person, state, after)
    values (p_change, 'merge', p_kept, p_absorbed, p_actor, p_by_person, state, report->'after');
    insert into audit_inbox (action, outcome, account_id, address, request_id, detail)
    values ('accounts_merged', 'done', p_kept, p_address, p_request,
            jsonb_build_object('change', p_change, 'absorbed', p_absorbed, 'before', before, 'after', report->'after')),
           ('account_absorbed', 'done', p_absorbed, p_address, p_request, jsonb_build_object('change', p_change, 'kept', p_kept));
    perform pg_notify('gateway_sessions', 'account:' || p_kept);
    outcome := 'merged';
end $$;
