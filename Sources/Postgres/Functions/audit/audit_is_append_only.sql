-- Refuses the changes of a table that is only added to. Statement triggers are not inherited, so every partition has its own.
-- The sealer takes events from the inbox: seal_audit says so for the time of its call.
-- Locks: none
-- Invariant: a change and its audit row commit together.
create or replace function audit_is_append_only() returns trigger language plpgsql as $$
begin
    if tg_table_name = 'audit_inbox' and tg_op = 'DELETE' and current_setting('gateway.sealing', true) = 'on' then
        return null;
    end if;
    raise exception '% is append only', tg_table_name;
end $$;
