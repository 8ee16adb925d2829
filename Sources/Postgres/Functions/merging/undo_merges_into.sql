-- Undoes the merges that brought other accounts into an account since a moment, the last one first, where a user made them: after a
-- disowned sign-in, that user may be an intruder. So an owner gets back a second account. A merge stays if either account would be
-- left without a sign-in method. Returns the accounts that it is separated from.
-- Locks: account_changes (for update), *undo_disowned_merge. The caller holds the accounts (lock_merged).
-- Invariant: an open account has a usable sign-in method.
create or replace function undo_merges_into(
    p_account uuid, p_since timestamptz, p_providers text[], p_session uuid, p_client text, p_address text, p_request text)
returns uuid[] language plpgsql as $$
declare
    separated uuid[] := '{}';
    made account_changes;
begin
    for made in
        select * from account_changes c
         where c.kind = 'merge' and c.account_id = p_account and c.by_person and c.made_at >= p_since and c.undone_at is null
           and c.undo_until > now() and exists (select from accounts a where a.id = c.other_id and a.merged_into = p_account)
         order by c.made_at desc for update
    loop
        begin
            perform undo_disowned_merge(made, p_address, p_request);
            if not has_sign_in_method(p_account, p_providers) or not has_sign_in_method(made.other_id, p_providers) then
                raise exception 'accounts changed' using errcode = 'LG011';
            end if;
            insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
            values ('own_merge_undone', 'done', p_account, p_session, p_client, p_address, p_request,
                    jsonb_build_object('change', made.id, 'disowned', true));
            separated := separated || made.other_id;
        exception when sqlstate 'LG011' or unique_violation then
            null;   -- the merge stays
        end;
    end loop;
    return separated;
end $$;
