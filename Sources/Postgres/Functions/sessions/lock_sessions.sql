-- The live sessions of accounts that are held, in the order of the ids: whoever ends several at once never waits in a circle
-- with another.
-- Locks: sessions (for no key update). By id. The caller holds the accounts.
-- Invariant: nothing works after it was ended.
create or replace function lock_sessions(p_accounts uuid[]) returns void language plpgsql as $$
begin
    perform 1 from sessions where account_id = any (p_accounts) and ended_at is null order by id for no key update;
end $$;
