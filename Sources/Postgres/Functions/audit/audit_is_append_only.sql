-- For every table that is only added to, and for every partition: statement triggers aren't inherited.
create or replace function audit_is_append_only() returns trigger language plpgsql as $$
begin
    raise exception '% is append only', tg_table_name;
end $$;
