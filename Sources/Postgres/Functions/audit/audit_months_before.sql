-- The monthly partitions of the audit log before a time, oldest first.
-- Locks: none
create or replace function audit_months_before(p_cutoff timestamptz) returns text[] language sql as $$
    select coalesce(array_agg(c.relname::text order by c.relname), '{}')
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'audit_sealed'::regclass and c.relname ~ '^audit_sealed_\d{4}_\d{2}$'
       and c.relname < 'audit_sealed_' || to_char(p_cutoff, 'YYYY_MM')
$$;
