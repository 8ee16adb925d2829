-- The accounts of an event: its own, and those in its detail, such as the other account of a merge. May contain ids
-- that are not accounts.
-- Locks: none
create or replace function accounts_of_event(p_account uuid, p_detail jsonb) returns setof uuid language sql immutable rows 2 as $$
    select p_account where p_account is not null
    union
    select (found.value #>> '{}')::uuid
      from jsonb_path_query(p_detail, '$.** ? (@ like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")') found (value)
$$;
