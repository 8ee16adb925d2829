-- Takes the locks of a batch in the order of sign-ins and sign-ups: identities, then addresses and the accounts that
-- may lose them, each kind sorted.
-- Locks: *lock_identity, *lock_claimants. Identities in order.
-- Invariant: one identity has one account.
create or replace function lock_import_lines(p_lines import_line[]) returns void language plpgsql as $$
begin
    perform lock_identity(i.provider, i.realm, i.subject)
       from (select x->>'provider' as provider, x->>'realm' as realm, x->>'subject' as subject
               from unnest(p_lines) l, jsonb_array_elements(l.identities) x order by 1, 2, 3) i;
    perform lock_claimants(array(
        select l.address_key from unnest(p_lines) l where l.address_key is not null
        union all select l.phone_key from unnest(p_lines) l where l.phone_key is not null));
end $$;
