-- The bucket of guesses at an account, whichever name, door or method: by kind (`password` or `code`) and known place;
-- without a place that of all strangers. Its first byte is zero: it sorts before all other buckets, because a statement
-- that takes several takes this one first.
-- Locks: none
create or replace function guess_bucket(p_account uuid, p_kind text, p_place text) returns bytea language sql immutable as $$
    select set_byte(substr(sha256((p_kind || ' guesses at ' || p_account || coalesce(' from ' || p_place, ''))::bytea), 1, 16), 0, 0);
$$;
