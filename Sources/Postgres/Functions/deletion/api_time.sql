-- A time in the format of the API.
-- Locks: none
create or replace function api_time(p_time timestamptz) returns text language sql stable as $$
    select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
$$;
