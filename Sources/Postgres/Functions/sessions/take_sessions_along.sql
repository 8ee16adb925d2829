-- Deletes the sessions of a deleted account. Sign-ins hold the account while they create a session, so none is created
-- after this.
-- Locks: sessions. A trigger: the deleting statement holds the account.
-- Invariant: no row refers to a deleted account.
create or replace function take_sessions_along() returns trigger language plpgsql as $$
begin
    delete from sessions where account_id = old.id;
    return null;
end $$;
