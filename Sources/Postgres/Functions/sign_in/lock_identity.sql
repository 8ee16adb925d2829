-- Locks an identity before its owner changes, until the transaction ends.
-- Locks: advisory identity.
-- Invariant: one identity has one account.
create or replace function lock_identity(p_provider text, p_realm text, p_subject text) returns void language sql as $$
    select pg_advisory_xact_lock(hashtextextended(concat_ws(chr(1), p_provider, p_realm, p_subject), 1));
$$;
