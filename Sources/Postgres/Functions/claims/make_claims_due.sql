-- Lets the sessions of an account get their claims anew at the next refresh, where claims come from a changed attribute.
-- Locks: *lock_sessions, sessions. The caller holds the account.
-- Invariant: an ended session stays ended.
create or replace function make_claims_due(p_account uuid, p_changed text[]) returns void language plpgsql as $$
begin
    if exists (select from client_claims where attributes ?| p_changed) then
        perform lock_sessions(array[p_account]);
        update sessions s set claims_due_at = now()
          from client_claims c
         where s.account_id = p_account and s.ended_at is null and c.client_id = s.client_id and c.attributes ?| p_changed;
    end if;
end $$;
