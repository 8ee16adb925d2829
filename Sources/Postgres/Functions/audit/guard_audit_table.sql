-- Makes a table of the audit log append-only: statement triggers are not inherited by partitions.
-- Locks: the table (`access exclusive`, by the change of its trigger).
create or replace function guard_audit_table(p_table regclass) returns void language plpgsql as $$
begin
    execute format('drop trigger if exists audit_is_append_only on %s', p_table);
    execute format('create trigger audit_is_append_only before update or delete or truncate on %s
                    for each statement execute function audit_is_append_only()', p_table);
end $$;
