-- A deleted account takes its sessions along, whatever deleted it. Sign-ins hold the account while they make a session, so
-- none is made behind this.
-- Locks: sessions. A trigger: the deleting statement holds the account.
-- Invariant: no row names a deleted account.
create or replace function take_sessions_along() returns trigger language plpgsql as $$
begin
    delete from sessions where account_id = old.id;
    return null;
end $$;
