-- The sessions of an account no longer name an identity that was deleted. Those of an account that it left before have ended
-- and keep its id, as the audit log does.
-- Locks: sessions. A trigger: the deleting statement holds the account.
-- Invariant: no row names a deleted account.
create or replace function leave_identity_sessions() returns trigger language plpgsql as $$
begin
    update sessions set identity_id = null where account_id = old.account_id and identity_id = old.id;
    return null;
end $$;
