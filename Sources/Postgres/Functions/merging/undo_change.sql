-- Undoes a merge, split, move, link or unlink, unless the affected items have changed since.
-- Locks: *lock_identity, accounts (for update), account_changes (for update), *undo_merge, *undo_split, *undo_move, *undo_link,
-- *undo_unlink, flows. The accounts by id. The change never changes its accounts, so they are read before.
-- Outcomes: not_found, undo_over, deletion_waits, undo_blocked, undone, last_credential, accounts_changed, identity_in_use
create or replace function undo_change(p_change uuid, p_providers text[], p_address text, p_request text, out outcome text, out parts text[])
language plpgsql as $$
declare
    change account_changes;
    before jsonb;
begin
    -- Locks in order: identity, accounts, change. The subject of a change never changes.
    select * into change from account_changes where id = p_change;
    if change.kind = 'unlink' then
        perform lock_identity(change.state->>'provider', change.state->>'realm', change.state->>'subject');
    end if;
    perform from accounts where id in (change.account_id, change.other_id) order by id for update;
    select * into change from account_changes where id = p_change for update;
    if not found then
        outcome := 'not_found';
        return;
    end if;
    if change.undone_at is not null or change.undo_until <= now() then
        outcome := 'undo_over';
        return;
    end if;
    if deletion_waits(change.account_id, change.other_id) then
        outcome := 'deletion_waits';
        return;
    end if;
    before := jsonb_build_object('account', account_outline(change.account_id), 'other', account_outline(change.other_id));
    parts := outline_differences(coalesce(change.after->'kept', change.after->'account', change.after->'to'), before->'account');
    if change.other_id is not null then
        parts := parts || outline_differences(coalesce(change.after->'absorbed', change.after->'new', change.after->'from'), before->'other');
    end if;
    if parts <> '{}' then
        outcome := 'undo_blocked';
        return;
    end if;
    case change.kind
        when 'merge' then perform undo_merge(change);
        when 'split' then perform undo_split(change);
        when 'move' then perform undo_move(change, p_providers);
        when 'link' then perform undo_link(change, p_providers);
        when 'unlink' then perform undo_unlink(change);
    end case;
    delete from flows where account_id in (change.account_id, change.other_id);
    update account_changes set undone_at = now(), state = '{}' where id = p_change;
    insert into audit_inbox (action, outcome, reason, account_id, address, request_id, detail)
    select 'change_undone', 'done', change.kind, id, p_address, p_request,
           jsonb_build_object('change', p_change, 'before', before->part, 'after', account_outline(id))
      from (values (change.account_id, 'account'), (change.other_id, 'other')) as touched (id, part) where id is not null;
    outcome := 'undone';
exception
    when sqlstate 'LG001' then outcome := 'last_credential';
    when sqlstate 'LG011' then outcome := 'accounts_changed';
    when sqlstate 'LG012' then outcome := 'identity_in_use';
end $$;
