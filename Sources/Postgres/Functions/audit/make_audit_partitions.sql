-- For the serving role, which may make no table: of this month and the next two, and no other.
-- Locks: *make_audit_partitions_from. Month by month.
create or replace function make_audit_partitions() returns integer language sql security definer
    set search_path = public, pg_temp set timezone = 'UTC' as $$
    select make_audit_partitions_from(now())
$$;
revoke execute on function make_audit_partitions() from public;
