-- Undoes a merge after a disowned sign-in: an intruder may have made it, so no later change of the kept account blocks it. An
-- item that left the kept account stays away.
-- Errors: LG011 (the accounts changed).
-- Locks: *undo_merge, accounts, flows, account_changes. The caller holds both accounts and the change.
create or replace function undo_disowned_merge(p_merge account_changes, p_address text, p_request text) returns void language plpgsql as $$
declare
    kept constant uuid := p_merge.account_id;
    absorbed constant uuid := p_merge.other_id;
    before constant jsonb := jsonb_build_object('kept', account_outline(kept), 'absorbed', account_outline(absorbed));
begin
    perform undo_merge(merge_as_left(p_merge));
    -- A factor or password that was removed must not lock its account holder out.
    update accounts
       set mfa = mfa and (exists (select from factors where account_id = absorbed) or exists (select from passkeys where account_id = absorbed)),
           password_state = case when exists (select from passwords where account_id = absorbed) then password_state else 'usable' end
     where id = absorbed;
    delete from flows where account_id in (kept, absorbed);
    update account_changes set undone_at = now(), state = '{}' where id = p_merge.id;
    insert into audit_inbox (action, outcome, reason, account_id, address, request_id, detail)
    select 'change_undone', 'done', 'merge', id, p_address, p_request,
           jsonb_build_object('change', p_merge.id, 'disowned', true, 'before', before->part, 'after', account_outline(id))
      from (values (kept, 'kept'), (absorbed, 'absorbed')) as touched (id, part);
end $$;
