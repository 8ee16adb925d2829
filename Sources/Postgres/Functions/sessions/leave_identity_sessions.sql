-- Clears a deleted identity from the sessions of its account. Sessions of a former owner have ended and keep the id, as
-- the audit log does.
-- Locks: sessions. A trigger: the deleting statement holds the account.
-- Invariant: no row refers to a deleted account.
create or replace function leave_identity_sessions() returns trigger language plpgsql as $$
begin
    update sessions set identity_id = null where account_id = old.account_id and identity_id = old.id;
    return null;
end $$;
