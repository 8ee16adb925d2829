-- Makes a table of the audit log append-only. Partitions don't inherit statement triggers.
-- Locks: named table (whole table). The change of the trigger locks the table (`access exclusive`).
-- Invariant: a change and its audit row commit together.
create or replace function guard_audit_table(p_table regclass) returns void language plpgsql as $$
begin
    execute format('drop trigger if exists audit_is_append_only on %s', p_table);
    execute format('create trigger audit_is_append_only before update or delete or truncate on %s
                    for each statement execute function audit_is_append_only()', p_table);
end $$;
