-- Lets the sessions of an account get their claims anew at the next refresh, where claims come from a changed attribute.
-- `p_changed`: stored names; of `app/name` the second part counts.
-- Locks: *lock_sessions, sessions. The caller holds the account.
-- Invariant: an ended session stays ended.
create or replace function make_claims_due(p_account uuid, p_changed text[]) returns void language plpgsql as $$
declare
    names constant text[] := array(select regexp_replace(name, '^.*/', '') from unnest(p_changed) name);
begin
    if exists (select from client_claims where attributes ?| names) then
        perform lock_sessions(array[p_account]);
        update sessions s set claims_due_at = now()
          from client_claims c
         where s.account_id = p_account and s.ended_at is null and c.client_id = s.client_id and c.attributes ?| names;
    end if;
end $$;
