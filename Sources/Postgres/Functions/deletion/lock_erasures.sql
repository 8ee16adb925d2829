-- Serializes erasures, before any other lock. Two erasures delete each other's rows, such as changes of both accounts,
-- in an order that the foreign keys decide.
-- Locks: advisory erasures.
-- Invariant: no row refers to a deleted account.
create or replace function lock_erasures() returns void language sql as $$
    select pg_advisory_xact_lock(hashtextextended('erasures', 7));
$$;
