-- Separates two merged accounts into their former state. The caller holds both accounts.
-- Locks: *move_items, *restore_marks, *part_proofs, accounts, account_apps, pairwise_subjects, *set_mains, *end_account_access. The
-- caller holds both accounts.
create or replace function undo_merge(p_change account_changes) returns void language plpgsql as $$
declare
    kept constant uuid := p_change.account_id;
    absorbed constant uuid := p_change.other_id;
    was constant jsonb := p_change.state->'kept';
    other accounts;
begin
    select * into other from accounts where id = absorbed;
    perform move_items(kept, absorbed, p_change.state->'items');
    perform restore_marks(absorbed, p_change.state->'items', p_change.state->'marks');
    perform part_proofs(kept, absorbed, p_change.state->'joined');
    update accounts
       set mfa = (was->>'mfa')::boolean, mfa_demanded = (was->>'mfa_demanded')::boolean, password_state = was->>'password_state',
           user_name = was->>'user_name', user_name_key = was->>'user_name_key', changed_at = now(),
           display_name = case when was->>'display_name' is null and display_name = other.display_name then null else display_name end,
           -- Attributes that changed since stay; merged ones go back.
           attributes = attributes - array(select key from jsonb_each(other.attributes)
                                            where not (was->'attributes' ? key) and attributes->key = value)
     where id = kept;
    update accounts
       set status = 'active', merged_into = null, changed_at = now(), password_state = p_change.state->'absorbed'->>'password_state',
           user_name = p_change.state->'absorbed'->>'user_name', user_name_key = p_change.state->'absorbed'->>'user_name_key'
     where id = absorbed;
    -- An app at which the kept account signed in since stays.
    delete from account_apps m where m.account_id = kept and p_change.state->'apps' ? m.client_id
       and not exists (select from sessions s where s.account_id = kept and s.client_id = m.client_id);
    update pairwise_subjects set account_id = absorbed where account_id = kept and p_change.state->'sectors' ? sector;
    perform set_mains(kept, p_change.state->'kept_mains');
    perform set_mains(absorbed, p_change.state->'absorbed_mains');
    -- Sessions that began with a returned sign-in method must end.
    perform end_account_access(kept, 'merge_undone');
    perform notify_account(kept, 'accounts_separated', '{}');
    perform notify_account(absorbed, 'accounts_separated', '{}');
end $$;
