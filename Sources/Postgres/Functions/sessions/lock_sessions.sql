-- Locks the live sessions of locked accounts in the order of their ids, so that two functions that end several sessions
-- can't deadlock.
-- Locks: sessions (for no key update). By id. The caller holds the accounts.
-- Invariant: an ended session stays ended.
create or replace function lock_sessions(p_accounts uuid[]) returns void language plpgsql as $$
begin
    perform 1 from sessions where account_id = any (p_accounts) and ended_at is null order by id for no key update;
end $$;
