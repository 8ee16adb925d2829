-- The locks that sign-ins and sign-ups take: identities first and then addresses, as they do, each kind in order.
create or replace function lock_import_lines(p_lines import_line[]) returns void language plpgsql as $$
begin
    perform lock_identity(i.provider, i.realm, i.subject)
       from (select x->>'provider' as provider, x->>'realm' as realm, x->>'subject' as subject
               from unnest(p_lines) l, jsonb_array_elements(l.identities) x order by 1, 2, 3) i;
    perform pg_advisory_xact_lock(a.key)
       from (select hashtextextended(l.address_key, 2) as key
               from unnest(p_lines) l where l.address_key is not null
             union select hashtextextended(l.phone_key, 2) from unnest(p_lines) l where l.phone_key is not null
              order by 1) a;
end $$;
