-- A time in the format of the API: ISO 8601 in UTC, whole seconds.
-- Locks: none
create or replace function utc(p_at timestamptz) returns text language sql immutable as $$
    select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
$$;
