-- Undoes the merges that took an account into others since a moment, the last one first. Only a user's own merges count: after a
-- disowned sign-in, that user may be an intruder. One of the others without a sign-in method of its own is closed. Returns the
-- accounts that it is separated from. Null: an operator made one of the merges, or no sign-in method of the account is left; then
-- nothing changes.
-- Locks: account_changes (for update), *undo_disowned_merge, *close_account_without_sign_in_method. The caller holds the accounts
-- (lock_merged).
-- Invariant: an open account has a usable sign-in method.
create or replace function undo_merges_since(
    p_account uuid, p_since timestamptz, p_providers text[], p_session uuid, p_client text, p_address text, p_request text)
returns uuid[] language plpgsql as $$
declare
    chain constant uuid[] := merge_chain(p_account);
    made account_changes;
    other uuid;
begin
    for place in reverse cardinality(chain) - 1 .. 1 loop
        select * into made from account_changes c
         where c.kind = 'merge' and c.account_id = chain[place + 1] and c.other_id = chain[place] and c.by_person
           and c.made_at >= p_since and c.undone_at is null and c.undo_until > now()
         order by c.made_at desc limit 1 for update;
        if not found then
            raise exception 'accounts changed' using errcode = 'LG011';
        end if;
        perform undo_disowned_merge(made, p_address, p_request);
    end loop;
    if cardinality(chain) > 1 then
        if not has_sign_in_method(p_account, p_providers) then
            raise exception 'accounts changed' using errcode = 'LG011';
        end if;
        foreach other in array chain[2:] loop
            perform close_account_without_sign_in_method(other, p_providers, 'merge_undone', p_request);
        end loop;
        insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
        values ('own_merge_undone', 'done', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('change', made.id, 'disowned', true));
    end if;
    return chain[2:];
exception when sqlstate 'LG011' or unique_violation then
    return null;
end $$;
