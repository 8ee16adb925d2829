-- Restricts a partition to access through its parent. A writer of the partition itself could choose a row's id and
-- time.
-- Locks: named table (whole table), *guard_audit_table. The change of rights and triggers locks the partition (`access
-- exclusive`).
-- Invariant: a change and its audit row commit together.
create or replace function close_audit_partition(p_table regclass) returns void language plpgsql as $$
declare
    granted record;
begin
    for granted in
        select distinct acl.grantee from pg_class c, aclexplode(c.relacl) acl where c.oid = p_table and acl.grantee <> c.relowner
    loop
        execute format('revoke all on table %s from %s', p_table,
                       case granted.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(granted.grantee)) end);
    end loop;
    perform guard_audit_table(p_table);
end $$;
