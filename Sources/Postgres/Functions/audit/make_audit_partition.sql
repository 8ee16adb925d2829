-- Creates the partition of a month. The table is created separately and then attached, so that readers continue.
-- Locks: audit_sealed (whole table), named table (whole table), audit_sealed_default (whole table), *close_audit_partition.
-- `share update exclusive` on the log, `access exclusive` on its default partition; half a second at most.
create or replace function make_audit_partition(p_month timestamptz) returns boolean language plpgsql
    set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
    name text := 'audit_sealed_' || to_char(p_month, 'YYYY_MM');
    month_end timestamptz := p_month + interval '1 month';
begin
    if to_regclass('public.' || name) is not null then return false; end if;
    -- Two servers may run this at once. The table lock makes the second one see the new catalogue.
    lock table audit_sealed in share update exclusive mode;
    if to_regclass('public.' || name) is not null then return false; end if;
    execute format('create table %I (like audit_sealed including defaults including constraints including indexes)', name);
    lock table audit_sealed_default in access exclusive mode;
    if exists (select from audit_sealed_default where at >= p_month and at < month_end) then
        alter table audit_sealed_default disable trigger audit_is_append_only;
        execute format('with moved as (delete from audit_sealed_default where at >= %L and at < %L returning *)
                        insert into %I select * from moved', p_month, month_end, name);
        alter table audit_sealed_default enable trigger audit_is_append_only;
    end if;
    execute format('alter table audit_sealed attach partition %I for values from (%L) to (%L)', name, p_month, month_end);
    perform close_audit_partition(name::regclass);
    return true;
end $$;
