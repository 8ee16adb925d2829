-- Creates the partitions of this month and the next two, for the serving role, which may create no other tables.
-- Locks: *make_audit_partitions_from. Month by month.
create or replace function make_audit_partitions() returns integer language sql security definer
    set search_path = public, pg_temp set timezone = 'UTC' as $$
    select make_audit_partitions_from(now())
$$;
revoke execute on function make_audit_partitions() from public;
