-- A moment as the API writes it: ISO 8601 in UTC, in whole seconds.
-- Locks: none
create or replace function utc(p_at timestamptz) returns text language sql immutable as $$
    select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
$$;
