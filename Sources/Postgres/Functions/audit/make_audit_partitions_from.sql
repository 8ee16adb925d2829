-- Creates the partitions of a time's month and of the two months after it. Returns the number of new partitions.
-- Locks: *make_audit_partition. Month by month.
create or replace function make_audit_partitions_from(p_now timestamptz) returns integer language plpgsql set timezone = 'UTC' as $$
declare
    made integer := 0;
begin
    for ahead in 0..2 loop
        if make_audit_partition(date_trunc('month', p_now, 'UTC') + make_interval(months => ahead)) then made := made + 1; end if;
    end loop;
    return made;
end $$;
