-- Rejects changes of an append-only table. Partitions don't inherit statement triggers, so each has its own. seal_audit
-- is exempt during its call, because it moves events out of the inbox.
-- Locks: none
-- Invariant: a change and its audit row commit together.
create or replace function audit_is_append_only() returns trigger language plpgsql as $$
begin
    if tg_table_name = 'audit_inbox' and tg_op = 'DELETE' and current_setting('gateway.sealing', true) = 'on' then
        return null;
    end if;
    raise exception '% is append only', tg_table_name;
end $$;
